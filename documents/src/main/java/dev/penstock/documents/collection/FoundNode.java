package dev.penstock.documents.collection;

import dev.penstock.documents.json.NodesToXml;
import dev.penstock.documents.xpath.NodeKind;
import dev.penstock.documents.xpath.XPathNode;
import dev.penstock.documents.xpath.XPathResult;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One result of an expression: a node of a document, or the value that the expression has on the document.
 *
 * @param documentId the id of the document
 * @param kind what it is: {@code element}, {@code attribute}, {@code text}, {@code comment}, {@code
 *     processing_instruction}, {@code namespace}, {@code root}, {@code string}, {@code number} or {@code boolean}
 * @param name its name as written in the document, empty if it has none
 * @param text its string value
 * @param xml it as XML, for what can stand alone; null otherwise
 */
public record FoundNode(
        String documentId, String kind, String name, String text, @Nullable String xml) {
    static FoundNode of(String id, XPathNode node) {
        String kind =
                node.kind() == NodeKind.DOCUMENT
                        ? "root"
                        : node.kind().name().toLowerCase(Locale.ROOT);
        boolean alone = node.kind() != NodeKind.ATTRIBUTE && node.kind() != NodeKind.NAMESPACE;
        return new FoundNode(id, kind, node.name(), node.text(), alone ? xml(node) : null);
    }

    private static String xml(XPathNode node) {
        var out = new ByteArrayOutputStream();
        var xml = new NodesToXml(out);
        node.write(xml);
        xml.finish();
        return out.toString(StandardCharsets.UTF_8);
    }

    static FoundNode of(String id, XPathResult value) {
        return switch (value) {
            case XPathResult.Nodes _ -> throw new IllegalArgumentException("several nodes");
            case XPathResult.Text text -> new FoundNode(id, "string", "", text.value(), null);
            case XPathResult.Num number -> new FoundNode(id, "number", "", number.text(), null);
            case XPathResult.Bool bool ->
                    new FoundNode(id, "boolean", "", String.valueOf(bool.value()), null);
        };
    }
}
