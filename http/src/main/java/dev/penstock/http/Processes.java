package dev.penstock.http;

import dev.penstock.http.limits.Bounds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Child processes that answer requests: what a child writes to its standard output goes to the client as it comes,
 * while no thread waits for it. The child is ended when the client leaves, at its timeout, and when the server stops.
 * How many run at once is bounded, because each costs memory, and a small thread of the JDK's; beyond that the answer
 * is 503 with {@code Retry-After}. Thread-safe.
 */
public final class Processes {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final long GRACE_MILLIS = 2000;

    private final int most;
    private final Semaphore permits;

    /** At most so many at once. */
    public Processes(int most) {
        this.most = Bounds.within("processes", most, 1, 10_000);
        this.permits = new Semaphore(most);
    }

    /** How many run now. */
    public int running() {
        return most - permits.availablePermits();
    }

    /**
     * Starts a process, and answers with its output; to be called by a handler, on a thread, which then returns. Its
     * input is empty; its errors are dropped, unless the builder says otherwise. A process that ends with another exit
     * code than 0 is an error response (500) or, if it has written something before, a broken one. One that takes too
     * long is 504, or broken likewise.
     *
     * @param mediaType of its output
     * @throws HttpException (503) if as many run as may
     * @throws IOException if it can't be started
     */
    public void run(Exchange exchange, ProcessBuilder command, Duration timeout, String mediaType)
            throws IOException {
        if (!permits.tryAcquire()) {
            throw new HttpException(
                            503, "Too many processes are running, %d; try again".formatted(most))
                    .header("Retry-After", "5");
        }
        Process process;
        try {
            if (command.redirectError().equals(ProcessBuilder.Redirect.PIPE)) {
                command.redirectError(ProcessBuilder.Redirect.DISCARD);
            }
            process = command.redirectOutput(ProcessBuilder.Redirect.PIPE).start();
        } catch (IOException | RuntimeException failure) {
            permits.release();
            throw failure;
        }
        Run run = new Run(process, mediaType, timeout, permits);
        var _ = process.onExit().thenRun(run::exited);
        exchange.onDisconnect(() -> end(process));
        try {
            process.getOutputStream().close();
            run.goOn(exchange);
        } catch (IOException | RuntimeException failure) {
            end(process);
            throw failure;
        }
    }

    /** Ends a process and those that it has started, politely at first. */
    private static void end(Process process) {
        // Noted now: what outlives the process is not among its descendants any more.
        List<ProcessHandle> all =
                Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        all.forEach(ProcessHandle::destroy);
        Executor later = CompletableFuture.delayedExecutor(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        var _ =
                CompletableFuture.runAsync(
                        () ->
                                Stream.concat(process.descendants(), all.stream())
                                        .forEach(ProcessHandle::destroyForcibly),
                        later);
    }

    /** One process and the response that it gives. */
    private static final class Run {
        private final Process process;
        private final InputStream output;
        private final String mediaType;
        private final Duration timeout;
        private final Semaphore permits;
        private final AtomicBoolean placeGiven = new AtomicBoolean();
        private final long startedNanos = System.nanoTime();
        private @Nullable ResponseBody body;

        /** The latest. The process knows this one alone: there is another every few milliseconds. */
        private volatile @Nullable Suspension wait;

        /**
         * @param permits where the process has one, to be given back when it has ended
         */
        Run(Process process, String mediaType, Duration timeout, Semaphore permits) {
            this.process = process;
            this.output = process.getInputStream();
            this.mediaType = mediaType;
            this.timeout = timeout;
            this.permits = permits;
        }

        /** Sends what the process has written, and waits for more; it may end, or write, whichever is first. */
        void goOn(Exchange exchange) throws IOException {
            // In this order: all that it wrote before it ended is there to be read.
            boolean ended = !process.isAlive();
            if (ended) {
                // Before the client can know: its next request may be here before the JDK has told
                // of the end.
                givePlace();
            }
            try {
                copy(exchange);
                if (ended) {
                    finish(exchange);
                } else {
                    await(exchange);
                }
            } catch (IOException | RuntimeException failure) {
                end(process);
                throw failure;
            }
        }

        private void await(Exchange exchange) {
            Duration rest = timeout.minusNanos(System.nanoTime() - startedNanos);
            Duration atLeast = rest.isPositive() ? rest : Duration.ofNanos(1);
            wait =
                    exchange.suspend(atLeast)
                            .onCancel(() -> end(process))
                            .onTimeout(_ -> {
                                throw new HttpException(
                                        504,
                                        "The process did not end within " + Bounds.text(timeout));
                            })
                            .resumeAfter(POLL, this::goOn);
            // Set first and then asked: either this sees the end, or the end sees the wait.
            if (!process.isAlive()) {
                ended();
            }
        }

        private void givePlace() {
            if (placeGiven.compareAndSet(false, true)) {
                permits.release();
            }
        }

        /** The JDK tells of the end. On any thread. */
        void exited() {
            givePlace();
            ended();
        }

        /** The process has ended. On any thread. */
        private void ended() {
            Suspension waiting = wait;
            if (waiting != null) {
                waiting.resume(this::goOn);
            }
        }

        /** Reads without ever waiting for the process. */
        private void copy(Exchange exchange) throws IOException {
            byte[] bytes = new byte[0];
            boolean some = false;
            for (int there = output.available(); there > 0; there = output.available()) {
                if (bytes.length == 0) {
                    bytes = new byte[16 * 1024];
                }
                int count = output.read(bytes, 0, Math.min(there, bytes.length));
                if (count < 0) {
                    break;
                }
                ResponseBody to = body == null ? exchange.body(mediaType) : body;
                body = to;
                to.write(ByteBuffer.wrap(bytes, 0, count));
                some = true;
            }
            if (some && body != null) {
                body.flush();
            }
        }

        private void finish(Exchange exchange) throws IOException {
            output.close();
            int code = process.exitValue();
            if (code != 0) {
                throw new HttpException(500, "The process ended with exit code " + code);
            }
            if (body == null) {
                exchange.body(mediaType);
            }
        }
    }
}
