package dev.penstock.bench.documents;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.documents.GeneratedXml.Shape;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Documents;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A document of 2 GB in PostgreSQL and back, in a heap of 64 MB. */
final class LargePart {
    private static final long LEAST_BYTES = 200_000;
    private static final Duration LIMIT = Duration.ofMinutes(60);
    private static final Duration COLLECT = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 2;
    private static final String ID = "large";

    private final Trial trial;

    LargePart(Trial trial) {
        this.trial = trial;
    }

    private static long usualBytes(Shape shape) {
        return switch (shape) {
            case RECORDS -> 2_000_000_000;
            case INTERLEAVED -> 200_000_000;
        };
    }

    int steps() {
        return Shape.values().length;
    }

    void measure(Outcome outcome) throws Exception {
        String heap = trial.heap("64m");
        Outcome.Table table =
                outcome.table(
                        "One document in PostgreSQL and back, heap " + heap,
                        "|MB|stored, s|MB/s|read, s|MB/s|live heap, most (MB)|resident, most (MB)|the same");
        boolean allSame = true;
        for (Shape shape : Shape.values()) {
            trial.doing("a large document in PostgreSQL, " + MemoryPart.label(shape));
            allSame &= measure(shape, heap, table);
            trial.step();
        }
        outcome.finding(
                "2 GB stored in PostgreSQL and read back in a heap of 64 MB",
                allSame ? "the same elements, attributes and texts" : "NOT the same",
                allSame);
    }

    private boolean measure(Shape shape, String heap, Outcome.Table table) throws Exception {
        long bytes = trial.scaled(usualBytes(shape), LEAST_BYTES);
        Path file =
                Files.createTempFile(
                        Files.createDirectories(trial.settings().out()), "documents", ".xml");
        String xml = file.toString();
        try (TestDatabase database = TestDatabase.create(TestDatabase.Kind.POSTGRESQL)) {
            DatabaseAddress address = DatabaseAddress.of(database);
            try (Child<DocumentCollection> child =
                    Child.start(
                            "documents",
                            heap,
                            List.of("-XX:MaxDirectMemorySize=16m"),
                            trial.log("documents-large"),
                            () -> Documents.open(address.pool(CONNECTIONS)).collection("large"))) {
                child.watchHeap(COLLECT);
                double stored = child.call(LIMIT, documents -> store(documents, shape, bytes));
                double read = child.call(LIMIT, documents -> read(documents, xml));
                HeapWatch.Seen seen = child.heap();
                boolean same = MemoryPart.same(shape, bytes, xml);
                table.row(
                        MemoryPart.label(shape),
                        bytes / 1e6,
                        stored,
                        bytes / 1e6 / stored,
                        read,
                        bytes / 1e6 / read,
                        seen.mostBytes() / 1e6,
                        child.peakResidentBytes() / 1e6,
                        same ? "yes" : "NO");
                return same;
            }
        } finally {
            Files.delete(file);
        }
    }

    private static double store(DocumentCollection documents, Shape shape, long bytes) {
        long start = System.nanoTime();
        documents.put(ID, new GeneratedXml(shape, bytes));
        return (System.nanoTime() - start) / 1e9;
    }

    private static double read(DocumentCollection documents, String xml) throws Exception {
        long start = System.nanoTime();
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(Path.of(xml)))) {
            documents.get(ID).orElseThrow().writeXml(output);
        }
        return (System.nanoTime() - start) / 1e9;
    }
}
