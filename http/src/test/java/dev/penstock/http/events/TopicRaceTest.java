package dev.penstock.http.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Admission;
import dev.penstock.http.AttributeKey;
import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.Suspension;
import dev.penstock.http.exchange.RequestBody;
import dev.penstock.http.exchange.ServerSuspension;
import dev.penstock.http.loop.TimerWheel;
import dev.penstock.http.server.PermitHistory;
import dev.penstock.http.server.Race;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A topic whose messages come on several threads while others wait for them. */
@Timeout(120)
final class TopicRaceTest {
    private static final int THREADS = 3;
    private static final int MESSAGES = 100;
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void messages_ofSeveralThreads_reachAllThatPollInOrderAndOnce() throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            int all = THREADS * MESSAGES;
            Topic topic = new Topic(all, 1 << 20, THREADS);
            Race.run(
                    2 * THREADS,
                    thread -> {
                        if (thread % 2 == 0) {
                            for (int i = 0; i < MESSAGES; i++) {
                                topic.publish("message " + i);
                            }
                        } else {
                            assertThat(readUntil(topic, all))
                                    .containsExactlyElementsOf(
                                            LongStream.rangeClosed(1, all).boxed().toList());
                        }
                    });
            assertThat(topic.last()).isEqualTo(all);
            assertThat(topic.waiting()).isZero();
        }
    }

    private static List<Long> readUntil(Topic topic, long last) throws Exception {
        List<Long> numbers = new ArrayList<>();
        for (long after = 0; after < last; ) {
            CompletableFuture<Topic.Batch> answer = new CompletableFuture<>();
            Waiting exchange = new Waiting();
            topic.poll(exchange, after, LONG, (_, batch) -> answer.complete(batch));
            exchange.handled();
            while (!answer.isDone()) {
                exchange.turn();
                Thread.onSpinWait();
            }
            Topic.Batch batch = answer.get(1, TimeUnit.SECONDS);
            assertThat(batch.missed()).isFalse();
            batch.messages().forEach(message -> numbers.add(message.number()));
            after = batch.next();
        }
        return numbers;
    }

    @Test
    void places_toWaitIn_areFreeAgainBeforeTheClientKnowsOfTheTimeout() throws Exception {
        Topic topic = new Topic(1, 1, 1);
        Waiting first = new Waiting();
        CompletableFuture<Integer> waiting = new CompletableFuture<>();
        topic.poll(first, 0, LONG, (_, _) -> waiting.complete(topic.waiting()));
        first.handled();
        assertThatThrownBy(() -> topic.poll(new Waiting(), 0, LONG, (_, _) -> {}))
                .isInstanceOf(HttpException.class)
                .hasMessage("Too many clients wait for this; try again later");
        first.aheadNanos = LONG.plusSeconds(1).toNanos();
        first.turn();
        assertThat(waiting).isCompletedWithValue(0);
    }

    @Test
    void places_toWaitIn_areRefusedOnlyWhereThereIsNone() throws Exception {
        for (int round = 0; round < Race.ROUNDS; round++) {
            Topic topic = new Topic(1, 1, 2);
            PermitHistory history = new PermitHistory(2);
            Race.run(
                    THREADS,
                    _ -> {
                        for (int i = 0; i < MESSAGES; i++) {
                            Waiting exchange = new Waiting();
                            PermitHistory.Attempt attempt = history.begin();
                            boolean waits = waits(topic, exchange);
                            attempt.decided(waits);
                            if (waits) {
                                exchange.handled();
                                exchange.aheadNanos = LONG.plusSeconds(1).toNanos();
                                attempt.giveBack(exchange::turn);
                            }
                        }
                    });
            history.check();
            assertThat(topic.waiting()).isZero();
        }
    }

    private static boolean waits(Topic topic, Waiting exchange) throws Exception {
        try {
            topic.poll(exchange, 0, LONG, (_, _) -> {});
            return true;
        } catch (HttpException full) {
            assertThat(full.status()).isEqualTo(503);
            return false;
        }
    }

    /** An exchange that can be suspended, and nothing else; its loop is whoever calls {@link #turn}. */
    private static final class Waiting implements Exchange, ServerSuspension.Host {
        private final Queue<Runnable> loop = new ArrayDeque<>();
        private final TimerWheel wheel =
                new TimerWheel(() -> System.nanoTime() + aheadNanos(), _ -> {});
        private volatile long aheadNanos;
        private @Nullable ServerSuspension wait;

        private long aheadNanos() {
            return aheadNanos;
        }

        void handled() {
            ServerSuspension known = wait;
            if (known != null) {
                known.begin();
                turn();
            }
        }

        void turn() {
            for (Runnable task = next(); task != null; task = next()) {
                task.run();
            }
            wheel.turn();
            for (Runnable task = next(); task != null; task = next()) {
                task.run();
            }
        }

        private @Nullable Runnable next() {
            synchronized (loop) {
                return loop.poll();
            }
        }

        @Override
        public Suspension suspend(Duration timeout) {
            ServerSuspension made = new ServerSuspension(this, timeout);
            wait = made;
            return made;
        }

        @Override
        public <T> Suspension suspend(
                CompletionStage<T> stage, Suspension.Continuation<? super T> continuation) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void onLoop(Runnable action) {
            synchronized (loop) {
                loop.add(action);
            }
        }

        @Override
        public TimerWheel timers() {
            return wheel;
        }

        @Override
        public void waiting() {}

        @Override
        public void goOn(Handler handler) {
            try {
                handler.handle(this);
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        }

        @Override
        public void endWithoutAnswer() {}

        @Override
        public void handBodyTo(RequestBody.Taker taker) {
            throw notAsked();
        }

        /** Some time later than all else; never is late enough here. */
        @Override
        public void runApart(Runnable action) {}

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String path() {
            return "/";
        }

        @Override
        public String query() {
            return "";
        }

        @Override
        public List<Parameter> parameters() {
            return List.of();
        }

        @Override
        public Optional<String> parameter(String name) {
            return Optional.empty();
        }

        @Override
        public String pathParameter(String name) {
            throw notAsked();
        }

        @Override
        public Optional<String> route() {
            return Optional.empty();
        }

        @Override
        public List<String> trailers(String name) {
            throw notAsked();
        }

        @Override
        public Exchange trailer(String name, Supplier<@Nullable String> value) {
            throw notAsked();
        }

        @Override
        public Exchange inform(int status, String... namesAndValues) {
            throw notAsked();
        }

        @Override
        public Exchange earlyHints(String... links) {
            throw notAsked();
        }

        @Override
        public Optional<String> header(String name) {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String remoteAddress() {
            return "127.0.0.1";
        }

        @Override
        public ReadableByteChannel requestBody() {
            throw notAsked();
        }

        @Override
        public void transferTo(Admission admission) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Exchange status(int status) {
            throw notAsked();
        }

        @Override
        public Exchange header(String name, String value) {
            throw notAsked();
        }

        @Override
        public Exchange addHeader(String name, String value) {
            throw notAsked();
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public <T> Optional<T> attribute(AttributeKey<T> key) {
            throw notAsked();
        }

        @Override
        public <T> Exchange attribute(AttributeKey<T> key, T value) {
            throw notAsked();
        }

        @Override
        public <T> T readJson(Class<T> type, int maxBytes) {
            throw notAsked();
        }

        @Override
        public void json(int status, Object value) {
            throw notAsked();
        }

        @Override
        public ResponseBody body(String mediaType) {
            throw notAsked();
        }

        @Override
        public void respond(int status, String mediaType, byte[] body) {
            throw notAsked();
        }

        @Override
        public void respond(int status, String mediaType, String body) {
            throw notAsked();
        }

        @Override
        public void onDisconnect(Runnable action) {
            throw notAsked();
        }

        private static IllegalStateException notAsked() {
            return new IllegalStateException("A topic does not ask for this");
        }
    }
}
