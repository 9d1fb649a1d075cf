package dev.penstock.documents.format;

import dev.penstock.documents.DocumentLimits;
import dev.penstock.documents.buffer.Output;
import dev.penstock.documents.json.JsonInput;
import dev.penstock.documents.json.JsonValue;
import dev.penstock.documents.json.JsonValue.Items;
import dev.penstock.documents.json.JsonValue.Nothing;
import dev.penstock.documents.json.JsonValue.Small;
import dev.penstock.documents.json.JsonValue.Text;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonParser;

/** JSON with the keys of every object in another order, as stores give it back. */
final class JsonText {
    private JsonText() {}

    static byte[] reordered(byte[] json, Consumer<List<String>> order) {
        JsonInput input = new JsonInput(DocumentLimits.defaults().withDepth(10_000));
        InputStream stream = new ByteArrayInputStream(json);
        try (JsonParser parser = input.parser(stream)) {
            parser.nextToken();
            JsonValue value = input.value(parser, () -> "");
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            Output output = new Output(out);
            write(value, output, order);
            output.flush();
            return out.toByteArray();
        }
    }

    private static void write(JsonValue value, Output out, Consumer<List<String>> order) {
        switch (value) {
            case Nothing nothing -> out.put("null".getBytes(StandardCharsets.US_ASCII));
            case Text(String text) -> string(text, out);
            case Items(List<JsonValue> items) -> {
                out.put('[');
                for (int i = 0; i < items.size(); i++) {
                    comma(i, out);
                    write(items.get(i), out, order);
                }
                out.put(']');
            }
            case Small(Map<String, JsonValue> members) -> {
                List<String> keys = new ArrayList<>(members.keySet());
                order.accept(keys);
                out.put('{');
                for (int i = 0; i < keys.size(); i++) {
                    comma(i, out);
                    string(keys.get(i), out);
                    out.put(':');
                    write(java.util.Objects.requireNonNull(members.get(keys.get(i))), out, order);
                }
                out.put('}');
            }
            case JsonValue.Large large -> throw new IllegalStateException();
        }
    }

    private static void comma(int index, Output out) {
        if (index > 0) {
            out.put(',');
            out.put(' ');
        }
    }

    private static void string(String text, Output out) {
        out.put('"');
        out.escape(text);
        out.put('"');
    }
}
