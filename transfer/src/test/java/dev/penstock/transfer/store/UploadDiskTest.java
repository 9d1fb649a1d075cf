package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.deferred;
import static dev.penstock.transfer.store.Bodies.failure;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.last;
import static dev.penstock.transfer.store.Bodies.upload;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.Digest;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.store.UploadDirectory.Description;
import dev.penstock.transfer.store.journal.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that becomes full, fails or goes away in the middle. */
class UploadDiskTest {
    @TempDir Path directory;
    private final AtomicLong room = new AtomicLong(Long.MAX_VALUE);
    private volatile boolean isReadOnly;
    private volatile boolean failsForces;

    /** So many forces fail; the system tells of a failed write-back once. */
    private final AtomicInteger failingForces = new AtomicInteger();

    private volatile boolean turnsReadOnly;
    private volatile long usableBytes = -1;
    private final List<String> finished = new ArrayList<>();
    private UploadStore store;

    private final Disk disk =
            new Disk() {
                @Override
                public FileChannel open(Path file, Set<? extends OpenOption> options)
                        throws IOException {
                    if (isReadOnly) {
                        throw new AccessDeniedException(file.toString());
                    }
                    return new FailingChannel(Disk.SYSTEM.open(file, options));
                }

                @Override
                public long usableBytes(Path where) throws IOException {
                    return usableBytes < 0 ? Disk.SYSTEM.usableBytes(where) : usableBytes;
                }
            };

    private final class FailingChannel extends WatchedChannel {
        FailingChannel(FileChannel file) {
            super(file, () -> {});
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            long left = room.get();
            if (left < from.remaining()) {
                if (left == 0) {
                    throw new IOException("No space left on device");
                }
                ByteBuffer part = from.duplicate().limit(from.position() + (int) left);
                int written = super.write(part, position);
                from.position(from.position() + written);
                room.addAndGet(-written);
                return written;
            }
            int written = super.write(from, position);
            room.addAndGet(-written);
            return written;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            if (failsForces || failingForces.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
                throw new IOException("Input/output error");
            }
            super.force(metaData);
        }
    }

    @BeforeEach
    void open() {
        store =
                UploadStore.open(
                        directory,
                        StoreSettings.defaults().withSweepInterval(Duration.ZERO),
                        new UploadHooks() {
                            @Override
                            public void finished(Upload upload, Path file) {
                                finished.add(upload.id());
                                isReadOnly |= turnsReadOnly;
                            }
                        },
                        disk);
    }

    @AfterEach
    void close() {
        isReadOnly = false;
        store.close();
    }

    @Test
    void append_diskBecomesFull_keepsWhatFitsAndGivesTheRestBack() throws IOException {
        String id = store.create(upload(1_000_000, "a")).id();
        room.set(300_000);

        assertThat(
                        failure(() ->
                                store.append(
                                        id, "", 0, append(body(0, 1_000_000, 50_000), 1_000_000))))
                .hasMessage(
                        "While bytes were written, the disk became full; free some of it, then resume");
        assertThat(store.reservations().unwrittenBytes()).isZero();
        assertThat(directory.resolve("a")).doesNotExist();
        room.set(Long.MAX_VALUE);
        assertThat(store.state(id, "").offset()).isEqualTo(300_000);
        store.append(id, "", 300_000, append(body(300_000, 700_000, 50_000)));
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 1_000_000));
    }

    @Test
    void create_diskIsFull_leavesNothing() {
        room.set(10);

        assertThat(kindOf(() -> store.create(upload(10, "a")))).isEqualTo(Kind.NO_SPACE);
        requireNothing();
    }

    private void requireNothing() {
        assertThat(directory.resolve(".uploads")).isEmptyDirectory();
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().unwrittenBytes()).isZero();
        assertThat(store.reservations().uploads()).isZero();
    }

    @Test
    void create_directoryIsReadOnly_isNotWritableAndLeavesNothing() {
        isReadOnly = true;

        assertThat(kindOf(() -> store.create(upload(10, "a")))).isEqualTo(Kind.NOT_WRITABLE);
        requireNothing();
    }

    @Test
    void append_directoryBecomesReadOnly_isNotWritableAndStays() throws IOException {
        String id = store.create(upload(10, "a")).id();
        store.append(id, "", 0, append(body(0, 5, 5)));
        isReadOnly = true;

        assertThat(kindOf(() -> store.append(id, "", 5, append(body(5, 5, 5)))))
                .isEqualTo(Kind.NOT_WRITABLE);
        isReadOnly = false;
        assertThat(store.append(id, "", 5, append(body(5, 5, 5))).isComplete()).isTrue();
    }

    @Test
    void append_directoryGoesAway_isNotWritableAndGivesItsSpaceBack() throws IOException {
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 5, 5)));
        remove(directory.resolve(".uploads").resolve(id));

        assertThat(kindOf(() -> store.append(id, "", 5, append(body(5, 5, 5)))))
                .isEqualTo(Kind.NOT_WRITABLE);
        requireNothing();
        assertThat(kindOf(() -> store.state(id, ""))).isEqualTo(Kind.GONE);
    }

    @Test
    void append_directoryGoesAwayInTheMiddle_isNotWritable() throws IOException {
        String id = store.create(upload(100_000, "a")).id();
        Path uploads = directory.resolve(".uploads").resolve(id);
        Append append =
                Bodies.append(
                        new Bodies.Watched(
                                body(0, 100_000, 50_000), 50_000, () -> remove(uploads)));

        assertThat(kindOf(() -> store.append(id, "", 0, append))).isEqualTo(Kind.NOT_WRITABLE);
        requireNothing();
        assertThat(directory.resolve("a")).doesNotExist();
    }

    private static void remove(Path uploads) throws IOException {
        try (Stream<Path> files = Files.list(uploads)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(uploads);
    }

    @Test
    void append_forceFails_goesBackToWhatWasForced() throws IOException {
        String id = store.create(upload(1_000, "a")).id();
        store.append(id, "", 0, append(body(0, 300, 50)));
        failsForces = true;
        assertThat(kindOf(() -> store.append(id, "", 300, append(body(300, 300, 50)))))
                .isEqualTo(Kind.FAILED);
        failsForces = false;

        assertThat(store.state(id, "").offset()).isEqualTo(300);
        store.append(id, "", 300, append(body(300, 700, 50)));
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 1_000));
    }

    @Test
    void append_lastForceFails_isNotCompleteAndCanBeRepeated() throws IOException {
        String id = store.create(upload(1_000, "a")).id();
        failsForces = true;
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 1_000, 50)))))
                .isEqualTo(Kind.FAILED);
        failsForces = false;

        assertThat(store.state(id, "").isComplete()).isFalse();
        assertThat(store.state(id, "").offset()).isZero();
        assertThat(store.append(id, "", 0, append(body(0, 1_000, 50))).isComplete()).isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 1_000));
    }

    @Test
    void append_smallFileSystemBecomesFull_saysSo() throws Exception {
        Path small = Files.createDirectories(directory.resolve("small"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small.toString()));
        try (UploadStore onSmall =
                UploadStore.open(
                        small,
                        StoreSettings.defaults()
                                .withSweepInterval(Duration.ZERO)
                                .withLimits(StoreLimits.defaults().withFreeBytes(0)),
                        UploadHooks.NONE)) {
            assertThat(kindOf(() -> onSmall.create(upload(5_000_000, "a"))))
                    .isEqualTo(Kind.NO_SPACE);
            String id = onSmall.create(upload(3_000_000, "a")).id();
            Path other = Files.write(small.resolve("other"), new byte[2_000_000]);
            assertThat(kindOf(() -> onSmall.append(id, "", 0, append(body(0, 3_000_000, 50_000)))))
                    .isEqualTo(Kind.NO_SPACE);
            assertThat(onSmall.reservations().unwrittenBytes()).isZero();
            long offset = onSmall.state(id, "").offset();
            assertThat(offset).isPositive();
            assertThat(kindOf(() -> onSmall.append(id, "", offset, append(body(offset, 1, 1)))))
                    .isEqualTo(Kind.NO_SPACE);
            Files.delete(other);
            assertThat(
                            onSmall.append(
                                            id,
                                            "",
                                            offset,
                                            append(body(offset, 3_000_000 - offset, 50_000)))
                                    .isComplete())
                    .isTrue();
            assertThat(small.resolve("a")).hasBinaryContent(bytes(0, 3_000_000));
        } finally {
            assertThat(run("umount", small.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void open_fileInTheWay_saysSo() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");

        TransferException failure =
                failure(() -> UploadStore.open(file, StoreSettings.defaults(), UploadHooks.NONE));

        assertThat(failure.kind()).isEqualTo(Kind.NOT_WRITABLE);
        assertThat(failure).hasMessageContaining(file.toString());
    }

    @Test
    void append_withADigestWhoseEarlyForceFails_isNotAcknowledged() throws IOException {
        int length = (int) WriteBack.STEP_BYTES + 100_000;
        Digest sum = DigestAlgorithm.SHA256.start();
        sum.update(ByteBuffer.wrap(bytes(0, length)));
        byte[] digest = sum.value();
        String id = store.create(upload(length, "a")).id();
        failingForces.set(1);

        assertThat(
                        kindOf(() ->
                                store.append(
                                        id,
                                        "",
                                        0,
                                        verified(
                                                body(0, length, 50_000),
                                                DigestAlgorithm.SHA256,
                                                digest))))
                .isEqualTo(Kind.FAILED);
        assertThat(failingForces).hasValue(0);
        assertThat(store.state(id, "").offset()).isZero();
        assertThat(store.append(id, "", 0, append(body(0, length, 50_000))).isComplete()).isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, length));
    }

    /** Whether the force fails before the append's end, at it or after it differs from time to time. */
    @RepeatedTest(20)
    void append_whoseEarlyForceFails_goesBackToWhatWasForced() throws IOException {
        int length = (int) WriteBack.STEP_BYTES + 100_000;
        String id = store.create(upload(length, "a")).id();
        failingForces.set(1);

        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, length, 50_000)))))
                .isEqualTo(Kind.FAILED);
        assertThat(store.state(id, "").offset()).isZero();
        assertThat(store.append(id, "", 0, append(body(0, length, 50_000))).isComplete()).isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, length));
    }

    @Test
    void append_forWhichThereIsNoSpace_holdsNoReservation() throws IOException {
        String id = store.create(deferred("a")).id();
        room.set(100);
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 1_000, 50)))))
                .isEqualTo(Kind.NO_SPACE);
        room.set(Long.MAX_VALUE);
        usableBytes = 0;
        long before = store.reservations().bytes();

        assertThat(kindOf(() -> store.append(id, "", 100, append(body(100, 900, 50), 1L << 40))))
                .isEqualTo(Kind.NO_SPACE);

        assertThat(store.reservations().bytes()).isEqualTo(before);
        usableBytes = -1;
        assertThat(store.append(id, "", 100, last(body(100, 900, 50))).isComplete()).isTrue();
    }

    @Test
    void finished_whoseEndCannotBeNoted_isCalledOnce() throws IOException {
        String id = store.create(upload(10, "a")).id();
        turnsReadOnly = true;

        assertThat(store.append(id, "", 0, append(body(0, 10, 10))).isComplete()).isTrue();
        store.sweep();
        store.sweep();

        assertThat(finished).containsExactly(id);
    }

    @Test
    void publish_behindAnAttemptThatWasCutOff_writesTheDescription() throws IOException {
        Path path = Files.createDirectory(directory.resolve("one"));
        Files.writeString(path.resolve("description.new"), "cut");
        UploadDirectory files = new UploadDirectory(Disk.SYSTEM, path);
        Description description = new Description("one", Instant.EPOCH, upload(10, "a"));

        files.publish(description, true);

        assertThat(files.describe()).contains(description);
    }
}
