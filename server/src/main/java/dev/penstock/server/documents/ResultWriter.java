package dev.penstock.server.documents;

import dev.penstock.documents.collection.FoundNode;
import dev.penstock.documents.collection.XmlDocument;
import dev.penstock.http.text.JsonText;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A writer of results one after the other, as XML, JSON or NDJSON. Not thread-safe. */
final class ResultWriter {
    static final String XML = "application/xml";
    static final String JSON = "application/json";
    static final String NDJSON = "application/x-ndjson";

    private static final Pattern NO_XML =
            Pattern.compile("[\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\uD800-\\uDFFF\\uFFFE\\uFFFF]");

    private final OutputStream out;
    private final OutputStream unflushed;
    private final String type;
    private boolean first = true;

    /**
     * @param type {@link #XML}, {@link #JSON} or {@link #NDJSON}
     */
    ResultWriter(OutputStream out, String type) {
        this.out = out;
        this.type = type;
        unflushed = unflushed(out);
    }

    /** The stream without its flush, since a document that has been written is no reason to send what there is. */
    private static OutputStream unflushed(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(byte[] bytes, int from, int length) throws IOException {
                out.write(bytes, from, length);
            }

            @Override
            public void flush() {
                // The end of the response flushes.
            }
        };
    }

    void begin() throws IOException {
        write(
                switch (type) {
                    case XML -> "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<results>";
                    case JSON -> "[";
                    default -> "";
                });
    }

    void end() throws IOException {
        write(
                switch (type) {
                    case XML -> "\n</results>\n";
                    case JSON -> "\n]\n";
                    default -> "";
                });
    }

    void document(XmlDocument document) throws IOException {
        if (type.equals(XML)) {
            write("\n<result id=\"" + escaped(document.id()) + "\" version=\"");
            write(document.version() + "\">");
            document.writeXmlFragment(unflushed);
            write("</result>");
            return;
        }
        separate();
        String head =
                new JsonText()
                        .object()
                        .member("id", document.id())
                        .member("version", document.version())
                        .endObject()
                        .toString();
        write(head.substring(0, head.length() - 1) + ",\"document\":");
        document.writeJson(out);
        write(type.equals(JSON) ? "}" : "}\n");
    }

    void node(FoundNode node) throws IOException {
        if (type.equals(XML)) {
            write(
                    "\n<result id=\""
                            + escaped(node.documentId())
                            + "\" kind=\""
                            + node.kind()
                            + '"');
            write(node.name().isEmpty() ? ">" : " name=\"" + escaped(node.name()) + "\">");
            @Nullable String xml = node.xml();
            write(xml == null ? escaped(node.text()) : xml);
            write("</result>");
            return;
        }
        separate();
        String line =
                new JsonText()
                        .object()
                        .member("id", node.documentId())
                        .member("kind", node.kind())
                        .member("name", node.name())
                        .member("text", node.text())
                        .member("xml", node.xml())
                        .endObject()
                        .toString();
        write(type.equals(JSON) ? line : line + "\n");
    }

    private void separate() throws IOException {
        if (type.equals(JSON)) {
            write(first ? "\n" : ",\n");
        }
        first = false;
    }

    /** Characters that XML lacks, which a variable may bring, are replaced. */
    private static String escaped(String text) {
        return NO_XML.matcher(text)
                .replaceAll("\uFFFD")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("\r", "&#13;");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
