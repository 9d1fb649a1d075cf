package dev.penstock.documents.xpath;

import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A compiled expression of XPath 1.0, to be evaluated on any number of documents. The context node is the document
 * node. Unchangeable, and safe to be used by several threads. An evaluation visits at most
 * {@value #MAX_VISITS} nodes of a document, counted each time.
 */
public final class XPathQuery {
    public static final long MAX_VISITS = 100_000_000;

    private final String written;
    private final Expression expression;

    private XPathQuery(String written, Expression expression) {
        this.written = written;
        this.expression = expression;
    }

    /**
     * Compiles an expression.
     *
     * @param namespaces the URIs of the prefixes in the expression; {@code xml} needs none
     * @param variables the values of the variables: strings, numbers and booleans
     * @throws dev.penstock.documents.DocumentException {@code XPATH} if the expression is wrong or has an unknown
     *     prefix, variable or function, with the position in it; {@code LIMIT} if it is too long or too deep
     */
    public static XPathQuery compile(
            String expression, Map<String, String> namespaces, Map<String, Object> variables) {
        return new XPathQuery(
                expression, ExpressionReader.read(new Names(expression, namespaces, variables)));
    }

    /** The expression as it was written. */
    public String written() {
        return written;
    }

    /** Returns whether its value is a node-set, whatever the document. */
    public boolean selectsNodes() {
        return Types.isNodes(expression);
    }

    public Expression expression() {
        return expression;
    }

    /** Returns whether {@code boolean()} of the expression is true on a document. */
    public boolean matches(NodeTree document) {
        return value(document, MAX_VISITS).isTrue();
    }

    /**
     * Evaluates the expression on a document.
     *
     * @throws dev.penstock.documents.DocumentException {@code LIMIT} if it visits too many nodes or takes too much
     *     memory, {@code BUSY} if other searches have that memory
     */
    public XPathResult evaluate(NodeTree document) {
        return evaluate(document, MAX_VISITS);
    }

    public XPathResult evaluate(NodeTree document, long maxVisits) {
        return switch (value(document, maxVisits)) {
            case Value.Nodes(NodeList list) -> new XPathResult.Nodes(nodes(document, list));
            case Value.Text(String text) -> new XPathResult.Text(text);
            case Value.Num(double number) -> new XPathResult.Num(number);
            case Value.Bool(boolean bool) -> new XPathResult.Bool(bool);
        };
    }

    private Value value(NodeTree document, long maxVisits) {
        SearchMemory memory = document.memory();
        long before = memory.taken();
        try {
            return new Evaluator(document, maxVisits)
                    .evaluate(expression, Evaluator.Context.DOCUMENT);
        } catch (RuntimeException | Error e) {
            memory.releaseTo(before);
            throw e;
        }
    }

    /** A view, since an object for each node would take more memory than the list. */
    private static List<XPathNode> nodes(NodeTree document, NodeList list) {
        return new AbstractList<>() {
            @Override
            public XPathNode get(int index) {
                return new XPathNode(document, list.get(Objects.checkIndex(index, size())));
            }

            @Override
            public int size() {
                return list.size();
            }
        };
    }

    @Override
    public String toString() {
        return written;
    }
}
