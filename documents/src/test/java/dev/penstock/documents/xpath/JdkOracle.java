package dev.penstock.documents.xpath;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.xml.namespace.NamespaceContext;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathEvaluationResult;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import javax.xml.xpath.XPathNodes;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The XPath of the JDK on a tree of its DOM. */
final class JdkOracle {
    private final Document document;
    private final XPath xpath = XPathFactory.newInstance().newXPath();

    JdkOracle(String xml, Map<String, String> namespaces, Map<String, Object> variables) {
        document = parse(xml);
        xpath.setNamespaceContext(new Prefixes(namespaces));
        xpath.setXPathVariableResolver(name -> variables.get(name.getLocalPart()));
    }

    private static Document parse(String xml) {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultInstance();
        factory.setNamespaceAware(true);
        factory.setCoalescing(true);
        try {
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(xml)));
        } catch (ParserConfigurationException | SAXException | java.io.IOException e) {
            throw new IllegalArgumentException(xml, e);
        }
    }

    String answer(String expression) {
        try {
            XPathEvaluationResult<?> result = xpath.evaluateExpression(expression, document);
            return switch (result.value()) {
                case Boolean bool -> Answer.bool(bool);
                case Number number -> Answer.number(number.doubleValue());
                case String text -> Answer.text(text);
                case XPathNodes nodes -> Answer.nodes(nodes(nodes));
                default -> "unknown " + result.type();
            };
        } catch (XPathExpressionException | RuntimeException e) {
            return "failure " + e.getMessage();
        }
    }

    private static List<String> nodes(XPathNodes nodes) {
        List<String> described = new ArrayList<>();
        nodes.forEach(node -> described.add(node(node)));
        return described;
    }

    private static String node(Node node) {
        String name = node.getNodeName();
        String uri = Objects.requireNonNullElse(node.getNamespaceURI(), "");
        return switch (node.getNodeType()) {
            case Node.DOCUMENT_NODE ->
                    Answer.node(NodeKind.DOCUMENT, "", "", text(node), place(node));
            case Node.ELEMENT_NODE ->
                    Answer.node(NodeKind.ELEMENT, name, uri, text(node), place(node));
            case Node.ATTRIBUTE_NODE ->
                    name.startsWith("xmlns")
                            ? Answer.node(
                                    NodeKind.NAMESPACE,
                                    name.substring(Math.min(6, name.length())),
                                    "",
                                    node.getNodeValue(),
                                    place(node))
                            : Answer.node(
                                    NodeKind.ATTRIBUTE,
                                    name,
                                    uri,
                                    node.getNodeValue(),
                                    place(node));
            case Node.TEXT_NODE ->
                    Answer.node(NodeKind.TEXT, "", "", node.getNodeValue(), place(node));
            case Node.COMMENT_NODE ->
                    Answer.node(NodeKind.COMMENT, "", "", node.getNodeValue(), place(node));
            case Node.PROCESSING_INSTRUCTION_NODE ->
                    Answer.node(
                            NodeKind.PROCESSING_INSTRUCTION,
                            name,
                            "",
                            node.getNodeValue(),
                            place(node));
            default ->
                    Answer.node(
                            NodeKind.NAMESPACE,
                            name.equals("xmlns") ? "" : name.replace("xmlns:", ""),
                            "",
                            node.getNodeValue(),
                            place(node));
        };
    }

    private static String place(Node node) {
        Node self = node instanceof org.w3c.dom.Attr attribute ? attribute.getOwnerElement() : node;
        StringBuilder place = new StringBuilder();
        for (Node n = self; n != null && n.getParentNode() != null; n = n.getParentNode()) {
            int number = 1;
            for (Node before = n.getPreviousSibling();
                    before != null;
                    before = before.getPreviousSibling()) {
                number++;
            }
            place.insert(0, "/" + number);
        }
        return place.toString();
    }

    private static String text(Node node) {
        return node instanceof Document document
                ? document.getDocumentElement().getTextContent()
                : node.getTextContent();
    }

    /** Prefixes as the JDK asks for them. */
    private record Prefixes(Map<String, String> uris) implements NamespaceContext {
        @Override
        public String getNamespaceURI(String prefix) {
            return prefix.equals("xml") ? NodeTree.XML_URI : uris.getOrDefault(prefix, "");
        }

        @Override
        public String getPrefix(String uri) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterator<String> getPrefixes(String uri) {
            throw new UnsupportedOperationException();
        }
    }
}
