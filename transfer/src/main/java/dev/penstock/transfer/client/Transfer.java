package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.HttpCalls;
import dev.penstock.transfer.client.http.MemoryBudget;
import dev.penstock.transfer.client.resume.RunningDigest;
import dev.penstock.transfer.client.resume.UploadRecords;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One call of a client: its options and its counts, its events, its waits and its errors. Thread-safe. */
final class Transfer {
    private final Shared shared;
    private final TransferOptions options;
    private final URI uri;
    private final long began = System.nanoTime();
    private final ReentrantLock events = new ReentrantLock();
    private final AtomicInteger interruptions = new AtomicInteger();
    private final AtomicLong repeated = new AtomicLong();

    /** The parts of a client that all of its calls share. */
    record Shared(
            HttpCalls calls,
            MemoryBudget memory,
            UploadRecords records,
            String identity,
            Duration firstDelay,
            Duration longestDelay,
            InstantSource clock) {}

    Transfer(Shared shared, TransferOptions options, URI uri) {
        this.shared = shared;
        this.options = options;
        this.uri = uri;
    }

    URI uri() {
        return uri;
    }

    TransferOptions options() {
        return options;
    }

    HttpCalls calls() {
        return shared.calls();
    }

    MemoryBudget memory() {
        return shared.memory();
    }

    UploadRecords records() {
        return shared.records();
    }

    /** A name for what is moved between this client and the resource, for files of state. */
    String key(String what) {
        byte[] text =
                (what + "\n" + uri + "\n" + shared.identity()).getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(RunningDigest.digest("SHA-256").digest(text), 0, 16);
    }

    Backoff backoff() {
        return new Backoff(
                options.retries(),
                shared.firstDelay(),
                shared.longestDelay(),
                ThreadLocalRandom.current());
    }

    void emit(TransferEvent event) {
        events.lock();
        try {
            options.progress().on(event);
        } finally {
            events.unlock();
        }
    }

    void moved(long bytes, OptionalLong total) {
        emit(new TransferEvent.Moved(bytes, total));
    }

    /** Counts further bytes of one of several connections, and tells of all: so no event tells of fewer than before. */
    void moved(AtomicLong all, long more, OptionalLong total) {
        events.lock();
        try {
            moved(all.addAndGet(more), total);
        } finally {
            events.unlock();
        }
    }

    /** Counts bytes that move a second time. */
    void repeated(long bytes) {
        repeated.addAndGet(bytes);
    }

    /** Waits before a further try after an answer. */
    void pause(Backoff backoff, Answer answer) throws InterruptedException {
        pause(backoff, answer.described(), answer.retryAfter(shared.clock()), null);
    }

    /** Waits before a further try after a failure. */
    void pause(Backoff backoff, Exception failure) throws InterruptedException {
        pause(backoff, describe(failure), Optional.empty(), failure);
    }

    /**
     * Waits before a further try.
     *
     * @throws TransferException when there were enough
     */
    void pause(Backoff backoff, String why, Optional<Duration> asked, @Nullable Throwable cause)
            throws InterruptedException {
        interruptions.incrementAndGet();
        Optional<Duration> wait = backoff.next(asked);
        if (wait.isEmpty()) {
            throw new TransferException(
                    Kind.FAILED,
                    ("The transfer with %s has failed: %s. It was tried %d times more without progress%s; call it"
                                    + " again to go on where it is")
                            .formatted(
                                    uri,
                                    why,
                                    backoff.used(),
                                    asked.map(a ->
                                                    ", and the server asks to wait "
                                                            + a.toSeconds()
                                                            + " s")
                                            .orElse("")),
                    cause);
        }
        emit(new TransferEvent.Retrying(why, wait.get()));
        Thread.sleep(wait.get());
    }

    /** Returns whether a request has failed before anything of it was sent, since no connection was made. */
    static boolean isUnsent(IOException failure) {
        return failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException;
    }

    static String describe(Exception failure) {
        String message = failure.getMessage();
        if (failure instanceof ConnectException) {
            return message == null || message.isBlank()
                    ? "no connection could be made"
                    : "no connection: " + message;
        }
        if (message == null || message.isBlank()) {
            return failure.getClass().getSimpleName();
        }
        boolean isCutOff = message.contains("received no bytes") || message.contains("EOF reached");
        return isCutOff ? "the connection was closed before the response was complete" : message;
    }

    /** The failure that an answer means, of a request that is not to be repeated. */
    TransferException refusal(Answer answer, String doing) {
        return switch (answer.status()) {
            case 401, 403 ->
                    refusal(
                            Kind.REJECTED,
                            answer,
                            doing,
                            "give the client the token of this server");
            case 404 -> refusal(Kind.NOT_FOUND, answer, doing, "check the URI");
            case 410 -> refusal(Kind.GONE, answer, doing, "begin anew");
            case 409, 412 -> refusal(Kind.CHANGED, answer, doing, "begin anew");
            case 413 ->
                    refusal(Kind.TOO_LARGE, answer, doing, "send less, or ask for a greater limit");
            case 422 ->
                    refusal(
                            Kind.REJECTED,
                            answer,
                            doing,
                            "the server has looked at the content, and refuses it");
            case 460 -> refusal(Kind.DIGEST_MISMATCH, answer, doing, "send it again");
            case 507 -> refusal(Kind.NO_SPACE, answer, doing, "make space on the server");
            default ->
                    answer.status() >= 500
                            ? refusal(Kind.FAILED, answer, doing, "look into the log of the server")
                            : refusal(
                                    Kind.INVALID,
                                    answer,
                                    doing,
                                    "check the URI, and what serves it");
        };
    }

    private static TransferException refusal(
            Kind kind, Answer answer, String doing, String remedy) {
        return new TransferException(
                kind,
                "%s %s was answered with %s; %s"
                        .formatted(doing, answer.uri(), answer.described(), remedy));
    }

    /** The receipt of this call. */
    Receipt receipt(
            URI location,
            Optional<UploadProtocol> protocol,
            long bytes,
            Optional<byte[]> sha256,
            boolean isVerified,
            long resumedAt) {
        return new Receipt(
                location,
                protocol,
                bytes,
                sha256.map(HexFormat.of()::formatHex),
                isVerified,
                resumedAt,
                interruptions.get(),
                repeated.get(),
                Duration.ofNanos(System.nanoTime() - began));
    }
}
