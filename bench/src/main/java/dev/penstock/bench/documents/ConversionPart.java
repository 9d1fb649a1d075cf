package dev.penstock.bench.documents;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.report.Samples;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The speed of conversions of a document in memory, beside a copy by the same parsers. */
final class ConversionPart {
    private static final int BYTES = 10_000_000;
    private static final int LEAST_BYTES = 50_000;
    private static final Duration WARM_UP = Duration.ofSeconds(4);
    private static final Duration TIME = Duration.ofSeconds(3);
    private static final Duration LEAST = Duration.ofMillis(20);
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final double SHARE = 0.7;
    private static final List<Conversion> COPIES =
            List.of(Conversion.WOODSTOX, Conversion.AALTO, Conversion.JDK);
    private static final List<Conversion> OTHERS =
            List.of(Conversion.XML_MAPPER, Conversion.ORG_JSON);
    private static final List<Conversion> BACK =
            List.of(
                    Conversion.EXACT_BACK,
                    Conversion.PLAIN_BACK,
                    Conversion.XML_MAPPER_BACK,
                    Conversion.ORG_JSON_BACK);

    private final Trial trial;
    private final int bytes;
    private final Map<Conversion, Samples> speeds = new EnumMap<>(Conversion.class);

    ConversionPart(Trial trial) {
        this.trial = trial;
        bytes = (int) trial.scaled(BYTES, LEAST_BYTES);
        for (Conversion each : Conversion.values()) {
            speeds.put(each, new Samples());
        }
    }

    int steps() {
        return Conversion.values().length * trial.repetitions();
    }

    void measure(Outcome outcome) throws Exception {
        trial.interleave(
                0,
                "converting, ",
                List.of(Conversion.values()),
                (each, _) -> speed(each).add(measure(each)));
        Conversion fastest =
                COPIES.stream().reduce((a, b) -> median(a) >= median(b) ? a : b).orElseThrow();
        outcome.atLeast(
                "XML to JSON, exact profile, at least 70 % of the speed of the fastest copy by a parser",
                speed(Conversion.EXACT).medianRatio(speed(fastest)),
                SHARE,
                share -> Figures.percent(share) + " of a " + fastest);
        double other = OTHERS.stream().mapToDouble(this::median).max().orElseThrow();
        outcome.finding(
                "XML to JSON, exact profile, faster than XmlMapper and org.json",
                "%s MB/s, the faster of the two %s"
                        .formatted(Figures.number(median(Conversion.EXACT)), Figures.number(other)),
                median(Conversion.EXACT) > other);
        table(
                outcome,
                "From XML, a document of " + Figures.megabytes(bytes),
                Stream.of(Conversion.values()).filter(each -> !BACK.contains(each)).toList());
        table(outcome, "The same document, from JSON to XML; MB of XML", BACK);
    }

    private void table(Outcome outcome, String title, List<Conversion> rows) {
        Outcome.Table table = outcome.table(title, "|MB/s");
        rows.forEach(each -> table.row(each, speed(each)));
    }

    private Samples speed(Conversion conversion) {
        return speeds.getOrDefault(conversion, new Samples());
    }

    private double median(Conversion conversion) {
        return speed(conversion).median();
    }

    private double measure(Conversion conversion) throws IOException {
        String name = conversion.name();
        int size = bytes;
        long warmUp = trial.scaled(WARM_UP, LEAST).toNanos();
        long time = trial.scaled(TIME, LEAST).toNanos();
        try (Child<String> child =
                Child.start(
                        "conversion",
                        trial.heap("1g"),
                        trial.log("documents-conversion"),
                        name::toString)) {
            return child.call(LIMIT, each -> megabytesASecond(each, size, warmUp, time));
        }
    }

    private static double megabytesASecond(String name, int size, long warmUp, long time)
            throws Exception {
        Conversion conversion = Conversion.valueOf(name);
        byte[] xml = GeneratedXml.bytes(GeneratedXml.Shape.RECORDS, size);
        byte[] input = conversion.input(xml);
        rate(conversion, input, warmUp);
        return rate(conversion, input, time) * xml.length / 1e6;
    }

    /** Converts again and again for so long. Returns the conversions a second. */
    private static double rate(Conversion conversion, byte[] input, long nanos) throws Exception {
        long start = System.nanoTime();
        long now = start;
        long count = 0;
        while (now - start < nanos) {
            conversion.convert(input, OutputStream.nullOutputStream());
            count++;
            now = System.nanoTime();
        }
        return count * 1e9 / (now - start);
    }
}
