package dev.penstock.bench.transfer.cell;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.transfer.load.RawClient;
import dev.penstock.bench.transfer.load.RawServer;
import dev.penstock.bench.transfer.load.TestFile;
import dev.penstock.bench.transfer.load.Together;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A cell whose measured side runs in a JVM of its own. Closing ends that. For one thread. */
final class CellUnderTest implements AutoCloseable {
    /** An OutOfMemoryError ends the JVM, so that a cell whose heap is too small never hangs. */
    private static final List<String> OPTIONS = List.of("-XX:+ExitOnOutOfMemoryError");

    /**
     * The settings that all cells share.
     *
     * @param file what is sent
     * @param directory for what is received
     * @param other the server that clients are measured with
     */
    record Place(TestFile file, Path directory, RawServer other, Trial trial) {}

    /** The object in the JVM: a server's port, or a client. */
    private record Measured(int port, @Nullable MeasuredClient client) {}

    /** The figures of one round of transfers. */
    record Round(double milliseconds, Use use) {}

    private final Cell cell;
    private final Place place;
    private final Child<Measured> child;

    private CellUnderTest(Cell cell, Place place, Child<Measured> child) {
        this.cell = cell;
        this.place = place;
        this.child = child;
    }

    static CellUnderTest start(Cell cell, String heap, Place place) throws IOException {
        String file = place.file().path().toString();
        String directory = place.directory().toString();
        Path log = place.trial().log("transfer-cell");
        Child<Measured> child =
                Child.start(
                        cell.operation() + ", " + cell,
                        heap,
                        OPTIONS,
                        log,
                        () -> measured(cell, file, directory));
        return new CellUnderTest(cell, place, child);
    }

    private static Measured measured(Cell cell, String file, String directory) throws IOException {
        if (cell.operation().isOfServer()) {
            int port = MeasuredServer.start(Path.of(file), Path.of(directory), cell.chunkBytes());
            return new Measured(port, null);
        }
        return new Measured(0, new MeasuredClient(cell, Path.of(file), Path.of(directory)));
    }

    /**
     * Runs so many transfers at once, and checks what arrived.
     *
     * @param limit beyond which the JVM is killed
     * @throws IOException if one failed, or not in time
     */
    Round run(int count, Duration limit) throws IOException {
        Thread watch = Thread.ofVirtual().start(() -> killAfter(limit));
        try {
            Use before = child.call(_ -> Use.begin());
            long started = System.nanoTime();
            transfer(count, limit);
            double milliseconds = (System.nanoTime() - started) / 1e6;
            Use use = child.call(_ -> Use.now()).since(before);
            check(count);
            return new Round(milliseconds, use);
        } finally {
            watch.interrupt();
        }
    }

    private void killAfter(Duration limit) {
        try {
            Thread.sleep(limit);
            child.kill();
        } catch (InterruptedException e) {
            // It was in time.
        }
    }

    private void transfer(int count, Duration limit) throws IOException {
        int port = child.call(measured -> measured.port);
        TestFile file = place.file();
        switch (cell.operation()) {
            case SERVER_READS -> {
                try (FileChannel channel = FileChannel.open(file.path())) {
                    Together.run(
                            count,
                            number -> RawClient.send(port, "/" + number, channel, file.bytes()));
                }
            }
            case SERVER_RETURNS ->
                    Together.run(
                            count,
                            _ ->
                                    RawClient.receive(
                                            port,
                                            "/file",
                                            file.bytes(),
                                            OptionalLong.of(file.checksum())));
            case CLIENT_SENDS, CLIENT_RECEIVES -> {
                int other = place.other().port();
                int _ =
                        child.call(
                                limit,
                                measured ->
                                        Objects.requireNonNull(measured.client).run(other, count));
            }
        }
    }

    private void check(int count) throws IOException {
        int right = cell.operation() == Operation.CLIENT_SENDS ? place.other().takeRight() : count;
        if (cell.operation().isReading()) {
            for (int i = 0; i < count; i++) {
                Path received = place.directory().resolve(Integer.toString(i));
                right -= place.file().isSame(received) ? 0 : 1;
                Files.delete(received);
            }
        }
        if (right != count) {
            throw new IOException(
                    "%s, %s: %d of %d bodies arrived as they were sent"
                            .formatted(cell.operation(), cell, right, count));
        }
    }

    @Override
    public String toString() {
        return cell.operation() + ", " + cell;
    }

    Cell cell() {
        return cell;
    }

    @Override
    public void close() {
        child.close();
        // What a round that failed has left would be in the next one's way.
        place.other().takeRight();
    }
}
