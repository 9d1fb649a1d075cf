package dev.penstock.documents.xpath;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.transform.stream.StreamSource;
import net.sf.saxon.s9api.Axis;
import net.sf.saxon.s9api.Processor;
import net.sf.saxon.s9api.QName;
import net.sf.saxon.s9api.SaxonApiException;
import net.sf.saxon.s9api.XPathCompiler;
import net.sf.saxon.s9api.XPathSelector;
import net.sf.saxon.s9api.XdmAtomicValue;
import net.sf.saxon.s9api.XdmItem;
import net.sf.saxon.s9api.XdmNode;
import net.sf.saxon.s9api.XdmNodeKind;
import net.sf.saxon.s9api.XdmSequenceIterator;
import net.sf.saxon.s9api.XdmValue;

/** The XPath of Saxon in its mode of compatibility with XPath 1.0. */
final class SaxonOracle {
    private final Processor processor = new Processor(false);
    private final XdmNode document;
    private final Map<String, String> namespaces;
    private final Map<String, Object> variables;

    SaxonOracle(String xml, Map<String, String> namespaces, Map<String, Object> variables) {
        try {
            document =
                    processor.newDocumentBuilder().build(new StreamSource(new StringReader(xml)));
        } catch (SaxonApiException e) {
            throw new IllegalArgumentException(xml, e);
        }
        this.namespaces = namespaces;
        this.variables = variables;
    }

    String answer(String expression) {
        try {
            XPathCompiler compiler = processor.newXPathCompiler();
            compiler.setBackwardsCompatible(true);
            namespaces.forEach(compiler::declareNamespace);
            variables.keySet().forEach(name -> compiler.declareVariable(new QName(name)));
            XPathSelector selector = compiler.compile(expression).load();
            selector.setContextItem(document);
            for (Map.Entry<String, Object> variable : variables.entrySet()) {
                selector.setVariable(
                        new QName(variable.getKey()),
                        XdmAtomicValue.makeAtomicValue(variable.getValue()));
            }
            return describe(selector.evaluate());
        } catch (SaxonApiException | RuntimeException e) {
            return "failure " + e.getMessage();
        }
    }

    private static String describe(XdmValue value) throws SaxonApiException {
        if (value.size() == 1 && value.itemAt(0) instanceof XdmAtomicValue atomic) {
            return switch (atomic.getValue()) {
                case Boolean bool -> Answer.bool(bool);
                case Number number -> Answer.number(number.doubleValue());
                default -> Answer.text(atomic.getStringValue());
            };
        }
        List<String> nodes = new ArrayList<>();
        for (XdmItem item : value) {
            nodes.add(item instanceof XdmNode node ? node(node) : "no node " + item);
        }
        return Answer.nodes(nodes);
    }

    private static String place(XdmNode node) {
        boolean isAttached =
                node.getNodeKind() == XdmNodeKind.ATTRIBUTE
                        || node.getNodeKind() == XdmNodeKind.NAMESPACE;
        StringBuilder place = new StringBuilder();
        for (XdmNode n = isAttached ? node.getParent() : node;
                n.getParent() != null;
                n = n.getParent()) {
            int number = 1;
            XdmSequenceIterator<XdmNode> before = n.axisIterator(Axis.PRECEDING_SIBLING);
            while (before.hasNext()) {
                before.next();
                number++;
            }
            place.insert(0, "/" + number);
        }
        return place.toString();
    }

    private static String node(XdmNode node) {
        QName qualified = node.getNodeName();
        String name = qualified == null ? "" : qualified.toString();
        String uri = qualified == null ? "" : qualified.getNamespaceUri().toString();
        String text = node.getStringValue();
        String place = place(node);
        return switch (node.getNodeKind()) {
            case DOCUMENT -> Answer.node(NodeKind.DOCUMENT, "", "", text, place);
            case ELEMENT -> Answer.node(NodeKind.ELEMENT, name, uri, text, place);
            case ATTRIBUTE -> Answer.node(NodeKind.ATTRIBUTE, name, uri, text, place);
            case NAMESPACE -> Answer.node(NodeKind.NAMESPACE, name, "", text, place);
            case TEXT -> Answer.node(NodeKind.TEXT, "", "", text, place);
            case COMMENT -> Answer.node(NodeKind.COMMENT, "", "", text, place);
            case PROCESSING_INSTRUCTION ->
                    Answer.node(NodeKind.PROCESSING_INSTRUCTION, name, "", text, place);
        };
    }
}
