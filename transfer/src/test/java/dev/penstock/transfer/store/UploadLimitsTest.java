package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.broken;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.deferred;
import static dev.penstock.transfer.store.Bodies.failure;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.Race;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.store.journal.Disk;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas, reservations, numbers of uploads, and their age. */
class UploadLimitsTest {
    private static final StoreLimits LIMITS = StoreLimits.defaults().withFreeBytes(0);

    @TempDir Path directory;
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.EPOCH.plusSeconds(1_000));
    private long usable = Long.MAX_VALUE;
    private UploadStore store;

    private final Disk disk =
            new Disk() {
                @Override
                public FileChannel open(Path file, Set<? extends OpenOption> options)
                        throws IOException {
                    return Disk.SYSTEM.open(file, options);
                }

                @Override
                public long usableBytes(Path directory) {
                    return usable;
                }
            };

    @BeforeEach
    void open() {
        open(LIMITS);
    }

    private void open(StoreLimits limits) {
        if (store != null) {
            store.close();
        }
        StoreSettings settings =
                StoreSettings.defaults()
                        .withSweepInterval(Duration.ZERO)
                        .withAges(Duration.ofHours(2), Duration.ofHours(1))
                        .withClock(now::get)
                        .withLimits(limits);
        store = UploadStore.open(directory, settings, UploadHooks.NONE, disk);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static NewUpload of(String owner, long length) {
        return new NewUpload(
                owner,
                OptionalLong.of(length),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                false);
    }

    private void requireNothingReserved() {
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().unwrittenBytes()).isZero();
        assertThat(store.reservations().uploads()).isZero();
    }

    @Test
    void create_beyondAnUploadsBytes_isTooLarge() {
        open(LIMITS.withBytes(1_000, 5_000, 5_000));

        assertThat(failure(() -> store.create(of("", 1_001))))
                .hasMessage("The length is 1001 bytes; an upload may have 1000");
        assertThat(kindOf(() -> store.create(of("", Long.MAX_VALUE)))).isEqualTo(Kind.TOO_LARGE);
        assertThat(kindOf(() -> store.create(of("", -1)))).isEqualTo(Kind.INVALID);
        requireNothingReserved();
    }

    @Test
    void create_beyondTheOwnersQuota_isRefusedUntilThereIsRoom() throws IOException {
        open(LIMITS.withBytes(1_000, 1_500, 5_000));
        String first = store.create(of("ann", 1_000)).id();

        assertThat(failure(() -> store.create(of("ann", 501))))
                .hasMessage(
                        "501 bytes more would be too many for the owner, whose uploads have 1000 of 1500 bytes;"
                                + " complete or delete one, then try again");
        store.create(of("ann", 500));
        store.create(of("bob", 1_000));
        store.append(first, "ann", 0, append(body(0, 1_000, 100)));
        assertThat(store.create(of("ann", 1_000)).offset()).isZero();
    }

    @Test
    void create_beyondTheQuotaOfAll_isRefused() {
        open(LIMITS.withBytes(1_000, 1_000, 1_500));
        String first = store.create(of("ann", 1_000)).id();

        assertThat(kindOf(() -> store.create(of("bob", 501)))).isEqualTo(Kind.QUOTA_EXCEEDED);
        store.delete(first, "ann");
        assertThat(store.create(of("bob", 501)).offset()).isZero();
    }

    @Test
    void append_ofUnknownLength_reservesAsItGrowsAndStopsAtTheQuota() throws IOException {
        open(LIMITS.withBytes(100_000_000, 10_000_000, 100_000_000));
        String id = store.create(deferred("a")).id();

        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 10_000_001, 65_536)))))
                .isEqualTo(Kind.QUOTA_EXCEEDED);
        long offset = store.state(id, "").offset();
        assertThat(offset).isBetween(10_000_000L - 65_536, 10_000_000L);
        assertThat(store.reservations().bytes()).isEqualTo(offset);
        store.delete(id, "");
        requireNothingReserved();
    }

    @Test
    void create_numberOfUploads_isBounded() {
        open(LIMITS.withUploads(2, 3));
        store.create(of("ann", 1));
        store.create(of("ann", 1));

        assertThat(failure(() -> store.create(of("ann", 1))))
                .hasMessage(
                        "The owner has 2 unfinished uploads, and 2 are allowed; complete or delete one, then try"
                                + " again");
        store.create(of("bob", 1));
        assertThat(kindOf(() -> store.create(of("eve", 1)))).isEqualTo(Kind.QUOTA_EXCEEDED);
    }

    @Test
    void create_tooManyStatesOfCompleteOnes_forgetsTheOldest() {
        open(LIMITS.withUploads(5, 3));
        String oldest = store.create(of("", 0)).id();
        for (int i = 0; i < 3; i++) {
            now.set(now.get().plusSeconds(1));
            store.create(of("", 0));
        }

        assertThat(kindOf(() -> store.state(oldest, ""))).isEqualTo(Kind.GONE);
        assertThat(directory.resolve(oldest)).exists();
        assertThat(store.list("")).hasSize(3);
    }

    @Test
    void create_moreThanTheDiskHas_isRefused() throws IOException {
        usable = 10_000;
        open(LIMITS.withFreeBytes(1_000));
        String first = store.create(of("", 8_000)).id();

        assertThat(failure(() -> store.create(of("", 1_001))))
                .hasMessage(
                        "The disk has no room for 1001 bytes: 10000 are free, 8000 of them promised to other"
                                + " uploads, and 1000 stay free; try again later");
        store.append(first, "", 0, append(body(0, 5_000, 100)));
        usable -= 5_000;
        assertThat(kindOf(() -> store.create(of("", 1_001)))).isEqualTo(Kind.NO_SPACE);
        store.create(of("", 1_000));
    }

    @Test
    void create_fromManyThreads_neverPromisesMoreThanThereIs() throws Exception {
        usable = 1_000_000;
        open(LIMITS.withBytes(Long.MAX_VALUE, 300_000, 900_000));
        for (int round = 0; round < Race.ROUNDS / 4; round++) {
            Queue<UploadState> made = new ConcurrentLinkedQueue<>();
            Race.run(
                    8,
                    thread -> {
                        for (int i = 0; i < 10; i++) {
                            try {
                                made.add(
                                        store.create(
                                                of("owner" + thread % 4, 17_000 + 100 * thread)));
                            } catch (TransferException e) {
                                assertThat(e.kind()).isIn(Kind.QUOTA_EXCEEDED, Kind.NO_SPACE);
                            }
                        }
                    });
            long sum = made.stream().mapToLong(state -> state.length().orElseThrow()).sum();
            assertThat(sum).isLessThanOrEqualTo(900_000).isGreaterThan(850_000);
            assertThat(store.reservations().bytes()).isEqualTo(sum);
            Race.run(
                    4,
                    _ -> {
                        for (UploadState each = made.poll(); each != null; each = made.poll()) {
                            store.delete(each.id(), each.created().owner());
                        }
                    });
            requireNothingReserved();
        }
    }

    @Test
    void reopen_keepsReservations() throws IOException {
        String id = store.create(of("ann", 1_000)).id();
        store.append(id, "ann", 0, append(body(0, 300, 100)));
        store.create(of("bob", 500));
        open(LIMITS.withBytes(Long.MAX_VALUE, 1_200, Long.MAX_VALUE));

        assertThat(store.reservations().bytes()).isEqualTo(1_500);
        assertThat(store.reservations().unwrittenBytes()).isEqualTo(1_200);
        assertThat(kindOf(() -> store.create(of("ann", 201)))).isEqualTo(Kind.QUOTA_EXCEEDED);
    }

    @Test
    void state_afterItsAge_isGoneAndSweptAway() throws IOException {
        String unfinished = store.create(of("", 10)).id();
        now.set(now.get().plus(Duration.ofMinutes(30)));
        assertThatThrownBy(() -> store.append(unfinished, "", 0, append(broken(0, 5, 5))))
                .isInstanceOf(IOException.class);
        String finished = store.create(upload(10, "kept")).id();
        store.append(finished, "", 0, append(body(0, 10, 10)));
        assertThat(store.state(unfinished, "").expires())
                .isEqualTo(now.get().plus(Duration.ofHours(2)));
        assertThat(store.state(finished, "").expires())
                .isEqualTo(now.get().plus(Duration.ofHours(1)));

        now.set(now.get().plus(Duration.ofHours(1)));
        assertThat(kindOf(() -> store.state(finished, ""))).isEqualTo(Kind.GONE);
        open(LIMITS);
        now.set(now.get().plus(Duration.ofHours(1)).minusMillis(1));
        assertThat(store.state(unfinished, "").offset()).isEqualTo(5);
        now.set(now.get().plusMillis(1));
        assertThat(kindOf(() -> store.append(unfinished, "", 5, append(body(5, 5, 5)))))
                .isEqualTo(Kind.GONE);

        store.sweep();
        assertThat(directory.resolve(".uploads")).isEmptyDirectory();
        assertThat(directory.resolve("kept")).hasBinaryContent(bytes(0, 10));
        assertThat(store.list("")).isEmpty();
        requireNothingReserved();
    }

    @Test
    void sweep_uploadThatIsBeingReceived_leavesIt() throws Exception {
        String id = store.create(of("", 20)).id();
        Bodies.Stalled body = new Bodies.Stalled(body(0, 10, 5), body(10, 10, 5));
        Thread append = Thread.ofVirtual().start(() -> appendQuietly(id, body));
        assertThat(body.stalls.await(60, TimeUnit.SECONDS)).isTrue();
        now.set(now.get().plus(Duration.ofDays(2)));

        store.sweep();
        body.goesOn.countDown();
        append.join();

        assertThat(store.state(id, "").isComplete()).isTrue();
    }

    private void appendQuietly(String id, Bodies.Stalled body) {
        try {
            store.append(id, "", 0, append(body));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void create_tooMuchOfAnything_isInvalid() {
        Map<String, String> facts = Map.of("Upload-Metadata", "x".repeat(8_192 - 14));
        for (NewUpload bad :
                List.of(
                        new NewUpload(
                                "",
                                OptionalLong.of(1),
                                Optional.empty(),
                                Optional.empty(),
                                facts,
                                false),
                        new NewUpload(
                                "o".repeat(1_025),
                                OptionalLong.of(1),
                                Optional.empty(),
                                Optional.empty(),
                                Map.of(),
                                false),
                        new NewUpload(
                                "",
                                OptionalLong.of(1),
                                Optional.empty(),
                                Optional.of("m".repeat(1_025)),
                                Map.of(),
                                false))) {
            assertThat(kindOf(() -> store.create(bad))).isEqualTo(Kind.INVALID);
        }
        requireNothingReserved();
    }
}
