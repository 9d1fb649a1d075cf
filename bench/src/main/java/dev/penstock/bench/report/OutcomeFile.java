package dev.penstock.bench.report;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** The figures of an {@link Outcome} as a JSON file, for programs: a cell with figures has every repetition. */
final class OutcomeFile {
    private static final JsonFactory JSON = new JsonFactory();

    private OutcomeFile() {}

    static void write(Outcome outcome, Map<String, String> circumstances, Path file)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("experiment", outcome.experiment());
        all.put("title", outcome.title());
        all.put("circumstances", circumstances);
        all.put("findings", outcome.findings());
        all.put("tables", parts(outcome, Outcome.Table.class));
        all.put("charts", parts(outcome, Outcome.Chart.class));
        try (JsonGenerator out =
                JSON.createGenerator(ObjectWriteContext.empty(), Files.newBufferedWriter(file))) {
            write(out, all);
        }
    }

    private static List<?> parts(Outcome outcome, Class<? extends Outcome.Part> type) {
        return outcome.parts().stream().filter(type::isInstance).toList();
    }

    private static void write(JsonGenerator out, Object value) {
        switch (value) {
            case Map<?, ?> map -> {
                out.writeStartObject();
                map.forEach((name, each) -> {
                    out.writeName(name.toString());
                    write(out, each);
                });
                out.writeEndObject();
            }
            case List<?> list -> {
                out.writeStartArray();
                list.forEach(each -> write(out, each));
                out.writeEndArray();
            }
            case Outcome.Cell cell -> write(out, cell.samples().values());
            case Samples samples -> write(out, samples.values());
            case Outcome.Part part -> write(out, members(part));
            case Boolean truth -> out.writeBoolean(truth);
            case Double none when !Double.isFinite(none) -> out.writeNull();
            case Number number -> out.writeNumber(number.doubleValue());
            default -> out.writeString(value.toString());
        }
    }

    /** Returns a part's components by their names, in their order. */
    private static Map<String, Object> members(Outcome.Part part) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            try {
                members.put(component.getName(), component.getAccessor().invoke(part));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("reading " + component + " failed", e);
            }
        }
        return members;
    }
}
