package dev.penstock.bench.documents;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.documents.GeneratedXml.Shape;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import dev.penstock.documents.convert.Converter;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A document of 1 GB to JSON and back, in a heap of 64 MB. */
final class MemoryPart {
    private static final long BYTES = 1_000_000_000;
    private static final long LEAST_BYTES = 200_000;
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final Duration COLLECT = Duration.ofSeconds(1);

    private final Trial trial;

    MemoryPart(Trial trial) {
        this.trial = trial;
    }

    int steps() {
        return Shape.values().length;
    }

    void measure(Outcome outcome) throws Exception {
        long bytes = trial.scaled(BYTES, LEAST_BYTES);
        String heap = trial.heap("64m");
        Outcome.Table table =
                outcome.table(
                        "A document of %s to JSON and back, heap %s"
                                .formatted(Figures.megabytes(bytes), heap),
                        "|to JSON, s|to XML, s|live heap, most (MB)|resident, most (MB)|the same");
        boolean allSame = true;
        for (Shape shape : Shape.values()) {
            trial.doing("a large document, " + label(shape));
            Path folder =
                    Files.createTempDirectory(
                            Files.createDirectories(trial.settings().out()), "documents");
            try (Child<Shape> child =
                    Child.start("converter", heap, trial.log("documents-memory"), () -> shape)) {
                String json = folder.resolve("document.json").toString();
                String xml = folder.resolve("document.xml").toString();
                child.watchHeap(COLLECT);
                double there = child.call(LIMIT, each -> toJson(each, bytes, json));
                double back = child.call(LIMIT, _ -> toXml(json, xml));
                HeapWatch.Seen seen = child.heap();
                boolean same = same(shape, bytes, xml);
                allSame &= same;
                table.row(
                        label(shape),
                        Figures.number(there),
                        Figures.number(back),
                        Figures.number(seen.mostBytes() / 1e6),
                        Figures.number(child.peakResidentBytes() / 1e6),
                        same ? "yes" : "NO");
            } finally {
                delete(folder);
            }
            trial.step();
        }
        outcome.finding(
                "1 GB through x2j and back in a heap of 64 MB, also when its elements interleave",
                allSame ? "the same elements, attributes and texts" : "NOT the same",
                allSame);
    }

    static String label(Shape shape) {
        return switch (shape) {
            case RECORDS -> "records of one name";
            case INTERLEAVED -> "records of two names in turns";
        };
    }

    private static double toJson(Shape shape, long bytes, String json) throws IOException {
        long start = System.nanoTime();
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(Path.of(json)))) {
            Converter.exact().toJson(new GeneratedXml(shape, bytes), output);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static double toXml(String json, String xml) throws IOException {
        long start = System.nanoTime();
        try (InputStream input = Files.newInputStream(Path.of(json));
                OutputStream output =
                        new BufferedOutputStream(Files.newOutputStream(Path.of(xml)))) {
            Converter.exact().toXml(input, output);
        }
        return (System.nanoTime() - start) / 1e9;
    }

    static boolean same(Shape shape, long bytes, String xml) throws Exception {
        try (InputStream input = new BufferedInputStream(Files.newInputStream(Path.of(xml)))) {
            return XmlDigest.of(input).equals(XmlDigest.of(new GeneratedXml(shape, bytes)));
        }
    }

    private static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve("document.json"));
        Files.deleteIfExists(folder.resolve("document.xml"));
        Files.deleteIfExists(folder);
    }
}
