package dev.penstock.bench.report;

import dev.penstock.bench.child.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** An {@link Outcome} as a JSON file, and back: everything that the report shows, and every single measurement. */
public final class OutcomeFile {
    private static final JsonFactory JSON = new JsonFactory();

    /** An outcome that was read, with where and when it came to be. */
    public record Read(Outcome outcome, Map<String, String> circumstances) {}

    private OutcomeFile() {}

    public static void write(Outcome outcome, Map<String, String> circumstances, Path file)
            throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("experiment", outcome.experiment());
        all.put("title", outcome.title());
        all.put("circumstances", circumstances);
        all.put("parts", outcome.parts().stream().map(OutcomeFile::toJson).toList());
        all.put("measurements", outcome.measurements().stream().map(OutcomeFile::toJson).toList());
        Path unfinished = file.resolveSibling(file.getFileName() + ".part");
        try (JsonGenerator out =
                JSON.createGenerator(
                        ObjectWriteContext.empty(), Files.newBufferedWriter(unfinished))) {
            write(out, all);
        }
        Files.move(unfinished, file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private static Map<String, Object> toJson(Outcome.Part part) {
        Map<String, Object> json = new LinkedHashMap<>();
        switch (part) {
            case Outcome.Text text -> json.put("text", text.text());
            case Outcome.Finding finding -> {
                json.put("goal", finding.goal());
                json.put("measured", finding.measured());
                json.put("reached", finding.reached());
            }
            case Outcome.Table table -> {
                json.put("table", table.title());
                json.put("header", table.header());
                json.put("rows", table.rows());
            }
            case Outcome.Chart chart -> {
                json.put("chart", chart.title());
                json.put("horizontal", chart.horizontal());
                json.put("vertical", chart.vertical());
                json.put("logarithmic", chart.logarithmic());
                json.put("series", chart.series().stream().map(OutcomeFile::toJson).toList());
            }
        }
        return json;
    }

    private static Map<String, Object> toJson(Outcome.Series series) {
        return Map.of("name", series.name(), "xs", series.xs(), "ys", series.ys());
    }

    private static Map<String, Object> toJson(Outcome.Measurement measurement) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", measurement.name());
        json.put("where", measurement.where().values());
        json.put("unit", measurement.unit());
        json.put("median", number(Samples.of(doubles(measurement.values())).median()));
        json.put("values", measurement.values());
        return json;
    }

    private static Object number(double value) {
        return Double.isFinite(value) ? value : "none";
    }

    private static double[] doubles(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
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
            case Boolean truth -> out.writeBoolean(truth);
            case Double number when Double.isFinite(number) -> out.writeNumber(number);
            default -> out.writeString(value.toString());
        }
    }

    public static Read read(Path file) throws IOException {
        try (JsonParser in =
                JSON.createParser(tools.jackson.core.ObjectReadContext.empty(), file)) {
            in.nextToken();
            Map<?, ?> all = (Map<?, ?>) value(in);
            Outcome outcome = new Outcome(text(all, "experiment"), text(all, "title"));
            for (Object part : list(all, "parts")) {
                outcome.add(part((Map<?, ?>) part));
            }
            for (Object each : list(all, "measurements")) {
                Map<?, ?> json = (Map<?, ?>) each;
                outcome.measured(
                        new Outcome.Measurement(
                                text(json, "name"),
                                new Answer(strings((Map<?, ?>) get(json, "where"))),
                                text(json, "unit"),
                                numbers(list(json, "values"))));
            }
            return new Read(outcome, strings((Map<?, ?>) get(all, "circumstances")));
        }
    }

    private static Object value(JsonParser in) {
        JsonToken token = in.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, Object> map = new LinkedHashMap<>();
                while (in.nextToken() != JsonToken.END_OBJECT) {
                    String name = in.currentName();
                    in.nextToken();
                    map.put(name, value(in));
                }
                yield map;
            }
            case START_ARRAY -> {
                List<Object> list = new ArrayList<>();
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    list.add(value(in));
                }
                yield list;
            }
            case VALUE_NUMBER_FLOAT, VALUE_NUMBER_INT -> in.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_STRING -> in.getString();
            case NOT_AVAILABLE,
                    END_OBJECT,
                    END_ARRAY,
                    PROPERTY_NAME,
                    VALUE_EMBEDDED_OBJECT,
                    VALUE_NULL ->
                    throw new IllegalArgumentException("not a file of results: " + token);
        };
    }

    private static Outcome.Part part(Map<?, ?> json) {
        if (json.containsKey("goal")) {
            return new Outcome.Finding(
                    text(json, "goal"), text(json, "measured"), (Boolean) get(json, "reached"));
        }
        if (json.containsKey("table")) {
            List<List<String>> rows = new ArrayList<>();
            for (Object row : list(json, "rows")) {
                rows.add(texts((List<?>) row));
            }
            return new Outcome.Table(text(json, "table"), texts(list(json, "header")), rows);
        }
        if (json.containsKey("chart")) {
            List<Outcome.Series> series = new ArrayList<>();
            for (Object each : list(json, "series")) {
                Map<?, ?> line = (Map<?, ?>) each;
                series.add(
                        new Outcome.Series(
                                text(line, "name"),
                                numbers(list(line, "xs")),
                                numbers(list(line, "ys"))));
            }
            return new Outcome.Chart(
                    text(json, "chart"),
                    text(json, "horizontal"),
                    text(json, "vertical"),
                    (Boolean) get(json, "logarithmic"),
                    series);
        }
        return new Outcome.Text(text(json, "text"));
    }

    private static Object get(Map<?, ?> json, String name) {
        Object value = json.get(name);
        if (value == null) {
            throw new IllegalArgumentException("not a file of results: it has no " + name);
        }
        return value;
    }

    private static String text(Map<?, ?> json, String name) {
        return get(json, name).toString();
    }

    private static List<?> list(Map<?, ?> json, String name) {
        return (List<?>) get(json, name);
    }

    private static List<String> texts(List<?> values) {
        return values.stream().map(Object::toString).toList();
    }

    private static List<Double> numbers(List<?> values) {
        return values.stream()
                .map(value -> value instanceof Double number ? number : Double.valueOf(Double.NaN))
                .toList();
    }

    private static Map<String, String> strings(Map<?, ?> json) {
        Map<String, String> strings = new LinkedHashMap<>();
        json.forEach((name, value) -> strings.put(name.toString(), value.toString()));
        return strings;
    }
}
