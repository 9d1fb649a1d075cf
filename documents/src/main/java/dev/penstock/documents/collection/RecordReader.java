package dev.penstock.documents.collection;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.format.NodeHandler;
import dev.penstock.documents.format.XmlToNodes;
import dev.penstock.documents.json.NodesToXml;
import java.io.InputStream;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the records of a large document: the elements at one path, each given as a document of its own with the
 * namespaces in scope. It holds one record. Used once.
 */
final class RecordReader implements NodeHandler {
    private static final int MOST_CHARACTERS =
            (int) Math.min(64_000_000, Runtime.getRuntime().maxMemory() / 16);

    private final List<String> record;
    private final Consumer<String> receiver;
    private final Deque<Map<String, String>> scopes = new ArrayDeque<>();
    private final List<String> path = new ArrayList<>();
    private @Nullable NodesToXml open;
    private StringWriter text = new StringWriter();

    /** The declarations in scope that the record has not made itself; null once its start tag is written. */
    private @Nullable Map<String, String> inherited;

    private long count;

    RecordReader(String record, Consumer<String> receiver) {
        String names = record.startsWith("/") ? record.substring(1) : record;
        this.record = List.of(names.split("/", -1));
        if (this.record.stream().anyMatch(String::isBlank)) {
            throw new DocumentException(
                    DocumentException.Kind.XPATH,
                    "\""
                            + record
                            + "\" is no path of records; write the names of elements from the root on, such as"
                            + " /people/person");
        }
        this.receiver = receiver;
    }

    /** Reads a document; gives how many records it had. */
    long read(InputStream xml) {
        new XmlToNodes(ConverterOptions.exact()).read(xml, this);
        return count;
    }

    @Override
    public void startElement(String name) {
        declare();
        path.add(name);
        if (open == null && path.equals(record)) {
            text = new StringWriter();
            open = new NodesToXml(text);
            inherited = inScope();
        } else if (open == null) {
            scopes.push(new LinkedHashMap<>());
        }
        if (open != null) {
            requireRoom();
            open.startElement(name);
        }
    }

    private void requireRoom() {
        if (text.getBuffer().length() > MOST_CHARACTERS) {
            throw new DocumentException(
                    DocumentException.Kind.LIMIT,
                    ("Can't read a record at /%s: it has more than %,d characters; store it by itself, with PUT,"
                                    + " or start with a larger heap")
                            .formatted(String.join("/", record), MOST_CHARACTERS));
        }
    }

    private Map<String, String> inScope() {
        var declarations = new LinkedHashMap<String, String>();
        scopes.descendingIterator().forEachRemaining(declarations::putAll);
        declarations.values().removeIf(String::isEmpty);
        return declarations;
    }

    /** Writes the declarations that the record needs from outside, after its own attributes. */
    private void declare() {
        if (open != null && inherited != null) {
            inherited.forEach(open::attribute);
            inherited = null;
        }
    }

    @Override
    public void attribute(String name, String value) {
        boolean declaration = name.equals("xmlns") || name.startsWith("xmlns:");
        if (open == null) {
            if (declaration) {
                scopes.element().put(name, value);
            }
            return;
        }
        if (inherited != null) {
            inherited.remove(name);
        }
        requireRoom();
        open.attribute(name, value);
    }

    @Override
    public void text(String value) {
        declare();
        if (open != null) {
            requireRoom();
            open.text(value);
        }
    }

    @Override
    public void comment(String value) {
        declare();
        if (open != null) {
            requireRoom();
            open.comment(value);
        }
    }

    @Override
    public void processingInstruction(String target, String data) {
        declare();
        if (open != null) {
            requireRoom();
            open.processingInstruction(target, data);
        }
    }

    @Override
    public void endElement() {
        declare();
        boolean whole = path.equals(record);
        path.removeLast();
        if (open == null) {
            scopes.pop();
            return;
        }
        open.endElement();
        if (whole) {
            open.finish();
            open = null;
            count++;
            receiver.accept(text.toString());
        }
    }
}
