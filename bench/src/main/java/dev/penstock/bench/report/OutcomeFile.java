package dev.penstock.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        all.put("findings", parts(outcome, Outcome.Finding.class, OutcomeFile::toJson));
        all.put("tables", parts(outcome, Outcome.Table.class, OutcomeFile::toJson));
        all.put("charts", parts(outcome, Outcome.Chart.class, OutcomeFile::toJson));
        try (JsonGenerator out =
                JSON.createGenerator(ObjectWriteContext.empty(), Files.newBufferedWriter(file))) {
            write(out, all);
        }
    }

    private static <P> List<Map<String, Object>> parts(
            Outcome outcome, Class<P> type, Function<P, Map<String, Object>> toJson) {
        return outcome.parts().stream()
                .filter(type::isInstance)
                .map(type::cast)
                .map(toJson)
                .toList();
    }

    private static Map<String, Object> toJson(Outcome.Finding finding) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("goal", finding.goal());
        json.put("measured", finding.measured());
        json.put("reached", finding.reached());
        return json;
    }

    private static Map<String, Object> toJson(Outcome.Table table) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", table.title());
        json.put("header", table.header());
        json.put("rows", table.rows());
        return json;
    }

    private static Map<String, Object> toJson(Outcome.Chart chart) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("title", chart.title());
        json.put("horizontal", chart.horizontal());
        json.put("vertical", chart.vertical());
        json.put("lines", chart.lines());
        return json;
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
            case Boolean truth -> out.writeBoolean(truth);
            case Double none when !Double.isFinite(none) -> out.writeNull();
            case Number number -> out.writeNumber(number.doubleValue());
            default -> out.writeString(value.toString());
        }
    }
}
