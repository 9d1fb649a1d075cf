package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.bytes;
import static dev.penstock.transfer.store.Bodies.deferred;
import static dev.penstock.transfer.store.Bodies.failure;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.upload;
import static dev.penstock.transfer.store.Bodies.verified;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Race;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.digest.DigestAlgorithm;
import dev.penstock.transfer.store.Bodies.Stalled;
import dev.penstock.transfer.store.Bodies.Watched;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests for one upload that come together. */
@Timeout(120)
class UploadRaceTest {
    private static final int LENGTH = 1_000_000;

    @TempDir Path directory;
    private UploadStore store;
    private final ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor();

    @BeforeEach
    void open() {
        store =
                UploadStore.open(
                        directory,
                        StoreSettings.defaults().withSweepInterval(Duration.ZERO),
                        UploadHooks.NONE);
    }

    @AfterEach
    void close() {
        requests.shutdownNow();
        store.close();
    }

    private Future<UploadState> request(Callable<UploadState> call) {
        return requests.submit(call);
    }

    private static Kind endOf(Future<UploadState> request) throws Exception {
        try {
            throw new AssertionError("It has succeeded: " + request.get(60, TimeUnit.SECONDS));
        } catch (ExecutionException e) {
            return failure(
                            () -> {
                                throw Objects.requireNonNull(e.getCause());
                            })
                    .kind();
        }
    }

    /** An append whose body stops behind so many bytes, as that of a connection that is half open. */
    private Pending stalled(String id, int offset, int length) throws Exception {
        Stalled body = new Stalled(body(offset, length, 5_000), body(offset + length, 0, 1));
        Future<UploadState> request = request(() -> store.append(id, "", offset, append(body)));
        assertThat(body.stalls.await(60, TimeUnit.SECONDS)).isTrue();
        return new Pending(request, body);
    }

    private record Pending(Future<UploadState> request, Stalled body) {}

    @Test
    void append_whileAnOlderOneIsStalled_endsItAndGoesOn() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        Pending older = stalled(id, 0, 300_000);

        assertThat(store.state(id, "").offset()).isEqualTo(300_000);
        UploadState state =
                store.append(id, "", 300_000, append(body(300_000, LENGTH - 300_000, 9_999)));

        assertThat(state.isComplete()).isTrue();
        assertThat(endOf(older.request())).isEqualTo(Kind.SUPERSEDED);
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, LENGTH));
    }

    @Test
    void append_whileAnOlderOneIgnoresInterrupts_doesNotWaitForIt() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        CountDownLatch stalls = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        ReadableByteChannel deaf = deaf(stalls, goesOn);
        Future<UploadState> older = request(() -> store.append(id, "", 0, append(deaf)));
        assertThat(stalls.await(60, TimeUnit.SECONDS)).isTrue();

        UploadState state = store.append(id, "", 100, append(body(100, LENGTH - 100, 9_999)));
        goesOn.countDown();

        assertThat(state.isComplete()).isTrue();
        assertThat(endOf(older)).isEqualTo(Kind.SUPERSEDED);
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, LENGTH));
    }

    private static ReadableByteChannel deaf(CountDownLatch stalls, CountDownLatch goesOn) {
        return new ReadableByteChannel() {
            private int reads;

            @Override
            public int read(ByteBuffer to) {
                if (++reads == 1) {
                    to.put(bytes(0, 100));
                    return 100;
                }
                stalls.countDown();
                boolean done = false;
                while (!done) {
                    try {
                        goesOn.await();
                        done = true;
                    } catch (InterruptedException _) {
                        // It waits on.
                    }
                }
                to.put(new byte[100]);
                return 100;
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void delete_whileAppending_endsItAndLeavesNothing() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        Pending older = stalled(id, 0, 300_000);

        store.delete(id, "");

        assertThat(endOf(older.request())).isEqualTo(Kind.GONE);
        assertThat(kindOf(() -> store.state(id, ""))).isEqualTo(Kind.GONE);
        assertThat(directory.resolve(".uploads")).isEmptyDirectory();
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().unwrittenBytes()).isZero();
    }

    @Test
    void endAppend_whileAppending_statesAnOffsetAtWhichToGoOn() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        Pending older = stalled(id, 0, 300_000);

        UploadState state = store.endAppend(id, "");

        assertThat(state.offset()).isEqualTo(300_000);
        assertThat(endOf(older.request())).isEqualTo(Kind.SUPERSEDED);
    }

    @Test
    void close_whileAppending_endsItAndKeepsWhatCame() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        Pending older = stalled(id, 0, 300_000);

        store.close();

        assertThat(endOf(older.request())).isEqualTo(Kind.FAILED);
        open();
        assertThat(store.state(id, "").offset()).isEqualTo(300_000);
    }

    @Test
    void setLength_whileAppending_boundsIt() throws Exception {
        String id = store.create(Bodies.deferred("a")).id();
        Pending older = stalled(id, 0, 300_000);

        assertThat(kindOf(() -> store.setLength(id, "", 299_999))).isEqualTo(Kind.LENGTH_MISMATCH);
        assertThat(store.setLength(id, "", 300_000).isComplete()).isFalse();
        older.body().goesOn.countDown();

        assertThat(older.request().get(60, TimeUnit.SECONDS).isComplete()).isTrue();
    }

    /** Many requests that each go on wherever the upload is, as clients do that do not know of each other. */
    @Test
    void append_fromManyThreads_isOneUploadOfRightBytes() throws Exception {
        for (int round = 0; round < Race.ROUNDS / 4; round++) {
            String name = "race" + round;
            String id = store.create(upload(LENGTH, name)).id();
            AtomicInteger completed = new AtomicInteger();
            Race.run(
                    4,
                    thread -> {
                        long stated = 0;
                        while (true) {
                            UploadState state = store.state(id, "");
                            assertThat(state.offset()).isGreaterThanOrEqualTo(stated);
                            stated = state.offset();
                            if (state.isComplete()) {
                                return;
                            }
                            int piece = 1 + thread * 50_000;
                            long length = Math.min(piece * 4L, LENGTH - stated);
                            try {
                                if (store.append(
                                                id,
                                                "",
                                                stated,
                                                append(body(stated, length, piece), length))
                                        .isComplete()) {
                                    completed.incrementAndGet();
                                }
                            } catch (TransferException e) {
                                assertThat(e.kind())
                                        .isIn(
                                                Kind.WRONG_OFFSET,
                                                Kind.SUPERSEDED,
                                                Kind.COMPLETE,
                                                Kind.TOO_LARGE);
                                assertThat(Thread.interrupted()).isFalse();
                            }
                        }
                    });
            assertThat(completed.get()).isPositive();
            assertThat(directory.resolve(name)).hasBinaryContent(bytes(0, LENGTH));
        }
        assertThat(store.reservations().unwrittenBytes()).isZero();
    }

    @Test
    void create_nameThatManyWant_givesEachItsOwn() throws Exception {
        Race.run(
                8,
                thread -> {
                    for (int i = 0; i < 5; i++) {
                        String id = store.create(upload(1 + thread, "same.txt")).id();
                        store.append(id, "", 0, append(body(0, 1 + thread, 10)));
                    }
                });

        assertThat(directory.toFile().list()).hasSize(41);
    }

    @Test
    void state_whileABodyIsWritten_neverGoesBackOrBeyond() throws Exception {
        String id = store.create(upload(40L << 20, "a")).id();
        Future<UploadState> running =
                request(() -> store.append(id, "", 0, append(body(0, 40L << 20, 64 * 1024))));
        long stated = 0;
        int asked = 0;
        while (!running.isDone() || asked == 0) {
            long offset = store.state(id, "").offset();
            assertThat(offset).isGreaterThanOrEqualTo(stated);
            stated = offset;
            asked++;
        }
        assertThat(running.get().isComplete()).isTrue();
    }

    @Test
    void append_interruptedFromOutside_keepsWhatCameAndTheInterrupt() throws Exception {
        String id = store.create(upload(LENGTH, "a")).id();
        CountDownLatch stalls = new CountDownLatch(1);
        Stalled body = new Stalled(body(0, 300_000, 5_000), body(0, 0, 1));
        Future<Boolean> append =
                requests.submit(() -> {
                    Thread self = Thread.currentThread();
                    Thread.ofVirtual()
                            .start(() -> {
                                await(body.stalls);
                                self.interrupt();
                            });
                    try {
                        store.append(id, "", 0, append(body));
                        return false;
                    } catch (IOException e) {
                        return "Interrupted".equals(e.getMessage());
                    } finally {
                        stalls.countDown();
                    }
                });

        assertThat(append.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(store.state(id, "").offset()).isEqualTo(300_000);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void endAppend_behindTheLastByte_completesTheUpload() throws IOException {
        String id = store.create(upload(1_000, "a")).id();
        // All bytes are read at once, then it is seen that no more come, and when they are written
        // their end is read:
        // the last of these three reads is the one that is interfered with.
        ReadableByteChannel body =
                new Watched(body(0, 1_000, 1_000), 999, () -> store.endAppend(id, ""));

        assertThat(kindOf(() -> store.append(id, "", 0, append(body)))).isEqualTo(Kind.SUPERSEDED);
        store.sweep();

        assertThat(store.state(id, "").isComplete()).isTrue();
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 1_000));
    }

    @Test
    void setLength_behindBytesThatWereNeverVerified_completesWithoutThem() throws Exception {
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 100, 10)));
        Stalled body = new Stalled(body(100, 50, 50), body(150, 0, 1));
        Future<UploadState> older =
                request(() ->
                        store.append(
                                id, "", 100, verified(body, DigestAlgorithm.SHA256, new byte[32])));
        assertThat(body.stalls.await(60, TimeUnit.SECONDS)).isTrue();

        assertThat(store.endAppend(id, "").offset()).isEqualTo(100);
        assertThat(store.setLength(id, "", 100).isComplete()).isTrue();

        assertThat(endOf(older)).isEqualTo(Kind.SUPERSEDED);
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 100));
    }

    @Test
    void setLength_beforeBytesThatAreRead_refusesThem() throws IOException {
        StoreSettings settings = StoreSettings.defaults().withSweepInterval(Duration.ZERO);
        store.close();
        store =
                UploadStore.open(
                        directory,
                        settings.withLimits(
                                settings.limits().withBytes(150, Long.MAX_VALUE, Long.MAX_VALUE)),
                        UploadHooks.NONE);
        String id = store.create(deferred("a")).id();
        store.append(id, "", 0, append(body(0, 100, 100)));
        // The bytes reach the limit of an upload, so that the body is asked for one more before
        // they are written.
        ReadableByteChannel body =
                new Watched(body(100, 50, 50), 50, () -> store.setLength(id, "", 100));

        assertThat(kindOf(() -> store.append(id, "", 100, append(body)))).isEqualTo(Kind.TOO_LARGE);
        store.sweep();

        assertThat(store.state(id, "").offset()).isEqualTo(100);
        assertThat(directory.resolve("a")).hasBinaryContent(bytes(0, 100));
    }

    @Test
    void append_whileAllBuffersAreTaken_getsThatOfTheOneItEnds() throws Exception {
        List<Pending> held = new ArrayList<>();
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < BufferPool.MOST; i++) {
            ids.add(store.create(upload(1_000, "a" + i)).id());
            held.add(stalled(ids.get(i), 0, 100));
        }

        Pending newer = stalled(ids.getFirst(), 100, 100);

        assertThat(endOf(held.getFirst().request())).isEqualTo(Kind.SUPERSEDED);
        newer.body().goesOn.countDown();
        assertThat(newer.request().get(60, TimeUnit.SECONDS).offset()).isEqualTo(200);
        held.forEach(each -> each.body().goesOn.countDown());
    }
}
