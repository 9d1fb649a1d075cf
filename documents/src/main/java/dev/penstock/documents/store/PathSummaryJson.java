package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The JSON form of a {@link PathSummary}: {@code {"version":1,"overflows":false,"paths":[[parent,key,flags,name…]…]}}.
 * A parent is the number of an earlier path, from 1, and 0 is the document; flags are {@code e} for elements in it,
 * {@code s} for split text, {@code r} for repeated, {@code c} for cut, {@code n} for other names; a name is its
 * namespace and then its local name. What overflows has no paths, or it is a partial summary, of which those readers
 * make nothing that do not know the flags {@code c} and {@code n}.
 */
final class PathSummaryJson {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int VERSION = 1;

    private PathSummaryJson() {}

    static String write(PathSummary summary) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeNumberProperty("version", VERSION);
            json.writeBooleanProperty("overflows", summary.isPartial());
            json.writeArrayPropertyStart("paths");
            writePaths(summary, json);
            json.writeEndArray();
            json.writeEndObject();
        }
        return text.toString();
    }

    private static void writePaths(PathSummary summary, JsonGenerator json) {
        record Numbered(int number, PathSummary.Path path) {}
        Deque<Numbered> pending = new ArrayDeque<>();
        pending.add(new Numbered(0, summary.document()));
        int last = 0;
        while (!pending.isEmpty()) {
            Numbered parent = pending.remove();
            for (Map.Entry<String, PathSummary.Path> child : parent.path().children().entrySet()) {
                writePath(parent.number(), child.getKey(), child.getValue(), json);
                pending.add(new Numbered(++last, child.getValue()));
            }
        }
    }

    private static void writePath(
            int parent, String key, PathSummary.Path path, JsonGenerator json) {
        json.writeStartArray();
        json.writeNumber(parent);
        json.writeString(key);
        json.writeString(
                (path.hasElements() ? "e" : "")
                        + (path.hasSplitText() ? "s" : "")
                        + (path.isRepeated() ? "r" : "")
                        + (path.isCut() ? "c" : "")
                        + (path.hasOtherNames() ? "n" : ""));
        for (PathSummary.Name name : path.names()) {
            json.writeString(name.uri());
            json.writeString(name.local());
        }
        json.writeEndArray();
    }

    static PathSummary read(String text) {
        PathSummary summary = new PathSummary();
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            expect(json.nextToken(), JsonToken.START_OBJECT);
            int version = 0;
            boolean overflows = false;
            for (String name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                switch (name) {
                    case "version" -> version = json.getIntValue();
                    case "overflows" -> overflows = json.getBooleanValue();
                    case "paths" -> readPaths(json, summary);
                    default -> throw wrong("an unknown member " + name);
                }
            }
            if (version != VERSION) {
                throw wrong("version " + version);
            }
            if (overflows && summary.size() == 0) {
                summary.overflow();
            }
            return summary;
        } catch (JacksonException e) {
            throw new DocumentException(
                    DocumentException.Kind.JSON,
                    "The path summary of a collection can't be read: " + e.getOriginalMessage(),
                    e);
        }
    }

    private static void readPaths(JsonParser json, PathSummary summary) {
        expect(json.currentToken(), JsonToken.START_ARRAY);
        List<PathSummary.Path> paths = new ArrayList<>();
        paths.add(summary.document());
        while (json.nextToken() == JsonToken.START_ARRAY) {
            int parent = json.nextIntValue(-1);
            if (parent < 0 || parent >= paths.size()) {
                throw wrong("a path whose parent is " + parent);
            }
            PathSummary.Path path = summary.child(paths.get(parent), string(json));
            paths.add(path);
            String flags = string(json);
            summary.mark(path, flags.contains("e"), flags.contains("s"), flags.contains("r"));
            summary.markPartial(path, flags.contains("c"), flags.contains("n"));
            while (json.nextToken() == JsonToken.VALUE_STRING) {
                summary.name(path, new PathSummary.Name(json.getString(), string(json)));
            }
        }
    }

    private static String string(JsonParser json) {
        String text = json.nextStringValue();
        if (text == null) {
            throw wrong("something else than a string");
        }
        return text;
    }

    private static void expect(JsonToken actual, JsonToken expected) {
        if (actual != expected) {
            throw wrong("something else than " + expected);
        }
    }

    private static DocumentException wrong(String what) {
        return new DocumentException(
                DocumentException.Kind.JSON,
                "The path summary of a collection has %s where version %d has none; build it anew"
                        .formatted(what, VERSION));
    }
}
