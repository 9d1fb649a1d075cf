package dev.penstock.bench.documents;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A JVM for each way to hold people, and the databases that they use, which are dropped at the end. */
final class PeopleChildren implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final String HEAP = "256m";

    private final Map<PeopleKind, Child<PeopleWorker>> children = new EnumMap<>(PeopleKind.class);
    private final Map<TestDatabase.Kind, TestDatabase> servers =
            new EnumMap<>(TestDatabase.Kind.class);
    private final Path folder;

    PeopleChildren(Trial trial, String part, List<PeopleKind> kinds, int threads)
            throws IOException {
        folder =
                Files.createTempDirectory(
                        Files.createDirectories(trial.settings().out()), "documents");
        try {
            for (PeopleKind kind : kinds) {
                if (!kind.isFile()) {
                    servers.computeIfAbsent(kind.server(), TestDatabase::create);
                }
                children.put(
                        kind,
                        Child.start(
                                kind.toString(),
                                trial.heap(HEAP),
                                trial.log("documents-" + part + "-" + kind.name()),
                                () -> new PeopleWorker(kind, threads)));
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Opens an empty store, instead of the one before. */
    void open(PeopleKind kind, String name) throws IOException {
        DatabaseAddress address =
                kind.isFile()
                        ? kind.file(folder.resolve(kind.name() + "-" + name))
                        : DatabaseAddress.of(Objects.requireNonNull(servers.get(kind.server())));
        call(kind, worker -> worker.open(address, name));
    }

    <R> R call(PeopleKind kind, Child.Task<PeopleWorker, R> task) throws IOException {
        return Objects.requireNonNull(children.get(kind)).call(LIMIT, task);
    }

    @Override
    public void close() throws IOException {
        children.values().forEach(Child::close);
        servers.values().forEach(TestDatabase::close);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
