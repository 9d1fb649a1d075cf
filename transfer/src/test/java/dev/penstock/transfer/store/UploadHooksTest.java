package dev.penstock.transfer.store;

import static dev.penstock.transfer.store.Bodies.append;
import static dev.penstock.transfer.store.Bodies.body;
import static dev.penstock.transfer.store.Bodies.failure;
import static dev.penstock.transfer.store.Bodies.kindOf;
import static dev.penstock.transfer.store.Bodies.upload;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ServerFixture;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An application that has its say. */
@Timeout(120)
class UploadHooksTest {
    @TempDir Path directory;
    private final List<String> calls = new ArrayList<>();
    private final CountDownLatch scans = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private volatile String does = "";
    private UploadStore store;

    private final UploadHooks hooks =
            new UploadHooks() {
                @Override
                public void accept(Upload upload) throws IOException {
                    act("accept");
                }

                @Override
                public void scan(Upload upload, Path file) throws IOException {
                    act("scan");
                }

                @Override
                public void finished(Upload upload, Path file) throws IOException {
                    act("finished");
                    if (does.equals("finished takes")) {
                        Files.move(file, directory.resolve("taken"));
                    }
                }
            };

    private void act(String hook) throws IOException {
        calls.add(hook);
        if (does.equals(hook + " waits")) {
            scans.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (does.equals(hook + " rejects")) {
            throw new TransferException(Kind.REJECTED, "No such things here");
        }
        if (does.equals(hook + " compares")) {
            throw new TransferException(Kind.DIGEST_MISMATCH, "Another digest");
        }
        if (does.equals(hook + " fails")) {
            throw new IOException("The scanner is down");
        }
    }

    @BeforeEach
    void open() {
        store =
                UploadStore.open(
                        directory,
                        StoreSettings.defaults().withSweepInterval(Duration.ZERO),
                        hooks);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private UploadState receive() throws IOException {
        String id = store.create(upload(10, "a")).id();
        return store.append(id, "", 0, append(body(0, 10, 10)));
    }

    private void requireNothingLeft() {
        assertThat(directory.resolve(".uploads")).isEmptyDirectory();
        assertThat(directory.resolve("a")).doesNotExist();
        assertThat(store.reservations().bytes()).isZero();
        assertThat(store.reservations().uploads()).isZero();
    }

    /** The sweep, too, has the application look at what has come. */
    @Test
    void scan_rejectsWhileAnotherWaits_tellsBothWhy() throws Exception {
        does = "scan waits";
        String id = store.create(upload(10, "a")).id();
        FutureTask<Kind> first =
                new FutureTask<>(
                        () -> kindOf(() -> store.append(id, "", 0, append(body(0, 10, 10)))));
        Thread.ofVirtual().start(first);
        assertThat(scans.await(60, TimeUnit.SECONDS)).isTrue();
        FutureTask<Kind> second =
                new FutureTask<>(
                        () -> kindOf(() -> store.append(id, "", 10, append(body(10, 0, 10)))));
        Thread waiting = Thread.ofVirtual().start(second);
        ServerFixture.await(
                "the second waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        does = "scan rejects";
        goesOn.countDown();

        assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(Kind.REJECTED);
        assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(Kind.REJECTED);
        requireNothingLeft();
    }

    @Test
    void accept_rejects_makesNothing() {
        does = "accept rejects";

        assertThat(failure(() -> store.create(upload(10, "a")))).hasMessage("No such things here");
        requireNothingLeft();
    }

    @Test
    void accept_fails_makesNothing() {
        does = "accept fails";

        assertThat(kindOf(() -> store.create(upload(10, "a")))).isEqualTo(Kind.FAILED);
        requireNothingLeft();
    }

    @Test
    void scan_rejects_leavesNothing() {
        does = "scan rejects";
        String id = store.create(upload(10, "a")).id();

        assertThat(failure(() -> store.append(id, "", 0, append(body(0, 10, 10)))).kind())
                .isEqualTo(Kind.REJECTED);
        requireNothingLeft();
        assertThat(kindOf(() -> store.state(id, ""))).isEqualTo(Kind.GONE);
    }

    @Test
    void scan_findsAnotherDigest_leavesNothing() {
        does = "scan compares";
        String id = store.create(upload(10, "a")).id();

        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 10, 10)))))
                .isEqualTo(Kind.DIGEST_MISMATCH);
        requireNothingLeft();
    }

    @Test
    void scan_fails_keepsTheUploadUntilItWorks() throws IOException {
        does = "scan fails";
        String id = store.create(upload(10, "a")).id();
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 10, 10)))))
                .isEqualTo(Kind.FAILED);
        assertThat(store.state(id, "").isComplete()).isFalse();
        assertThat(directory.resolve("a")).doesNotExist();

        does = "";
        UploadState state = store.append(id, "", 10, append(body(10, 0, 1)));

        assertThat(state.isComplete()).isTrue();
        assertThat(calls).containsExactly("accept", "scan", "scan", "finished");
    }

    @Test
    void scan_fails_isDoneAgainByASweep() throws IOException {
        does = "scan fails";
        String id = store.create(upload(10, "a")).id();
        assertThat(kindOf(() -> store.append(id, "", 0, append(body(0, 10, 10)))))
                .isEqualTo(Kind.FAILED);

        does = "";
        store.sweep();

        assertThat(store.state(id, "").isComplete()).isTrue();
    }

    @Test
    void finished_fails_changesNothing() throws IOException {
        does = "finished fails";

        assertThat(receive().isComplete()).isTrue();
        assertThat(directory.resolve("a")).exists();
        assertThat(calls).containsExactly("accept", "scan", "finished");
    }

    @Test
    void finished_takesTheFile_leavesTheState() throws IOException {
        does = "finished takes";

        UploadState state = receive();

        assertThat(store.state(state.id(), "")).isEqualTo(state);
        assertThat(kindOf(() -> store.open(state.id(), ""))).isEqualTo(Kind.GONE);
        store.delete(state.id(), "");
        assertThat(directory.resolve("taken")).exists();
    }

    @Test
    void scan_takesLong_othersReadTheStateAndWaitForTheEnd() throws Exception {
        does = "scan waits";
        String id = store.create(upload(10, "a")).id();
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<UploadState> first =
                    requests.submit(() -> store.append(id, "", 0, append(body(0, 10, 10))));
            assertThat(scans.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(store.state(id, "").offset()).isEqualTo(10);
            assertThat(store.state(id, "").isComplete()).isFalse();
            Future<UploadState> second =
                    requests.submit(() -> store.append(id, "", 10, append(body(10, 0, 1))));
            does = "";
            goesOn.countDown();

            assertThat(first.get(60, TimeUnit.SECONDS).isComplete()).isTrue();
            assertThat(second.get(60, TimeUnit.SECONDS).isComplete()).isTrue();
        }
        assertThat(calls).containsExactly("accept", "scan", "finished");
    }

    @Test
    void delete_whileItIsScanned_leavesNothing() throws Exception {
        does = "scan waits";
        String id = store.create(upload(10, "a")).id();
        try (ExecutorService requests = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Kind> end =
                    requests.submit(
                            () -> kindOf(() -> store.append(id, "", 0, append(body(0, 10, 10)))));
            assertThat(scans.await(60, TimeUnit.SECONDS)).isTrue();
            store.delete(id, "");
            goesOn.countDown();

            assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(Kind.GONE);
        }
        requireNothingLeft();
    }
}
