package dev.penstock.service;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proxies in front of real pools. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PoolProxyTest {
    private static final long WAIT = 60;

    /** A service with a method of each kind. */
    public interface Counter {
        long add(long value, int times);

        CompletionStage<Long> later(long value);

        void note(@Nullable CountDownLatch noted);

        @Blocking
        void fail(String message) throws IOException;

        Thread thread();

        long nested();
    }

    private static final class Instance implements Counter {
        private long sum;
        private Counter self = this;

        @Override
        public long add(long value, int times) {
            sum += value * times;
            return sum;
        }

        @Override
        public CompletionStage<Long> later(long value) {
            return CompletableFuture.supplyAsync(() -> value);
        }

        @Override
        public void note(@Nullable CountDownLatch noted) {
            requireNonNull(noted).countDown();
        }

        @Override
        public void fail(String message) throws IOException {
            throw new IOException(message);
        }

        @Override
        public Thread thread() {
            return Thread.currentThread();
        }

        @Override
        public long nested() {
            return self == this ? sum : self.add(1, 1);
        }
    }

    @Test
    void proxy_eachKindOfMethod_asItsReturnTypeSays() throws Exception {
        try (ServicePool<Counter> pool =
                ServicePool.of(Counter.class, Instance::new).size(1).start()) {
            Counter proxy = pool.proxy();
            CountDownLatch noted = new CountDownLatch(1);

            assertThat(proxy.add(2, 3)).isEqualTo(6);
            assertThat(proxy.thread()).isSameAs(Thread.currentThread());
            assertThat(proxy.later(5).toCompletableFuture().get(WAIT, TimeUnit.SECONDS))
                    .isEqualTo(5);
            proxy.note(noted);
            assertThat(noted.await(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> proxy.fail("as it is"))
                    .isInstanceOf(IOException.class)
                    .hasMessage("as it is");
            assertThat(pool.proxy()).isSameAs(proxy);
            assertThat(proxy.toString())
                    .isEqualTo("proxy of pool Counter (" + Counter.class.getName() + ")");
        }
    }

    @Test
    void proxy_oneWayCallThatFails_isLoggedWhereNoListenerIsTold() throws Exception {
        BlockingQueue<LogRecord> lines = new LinkedBlockingQueue<>();
        Logger logger = Logger.getLogger("dev.penstock.service");
        Handler handler =
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        lines.add(line);
                    }

                    @Override
                    public void flush() {}

                    @Override
                    public void close() {}
                };
        logger.addHandler(handler);
        try (ServicePool<Counter> pool =
                ServicePool.of(Counter.class, Instance::new).name("unseen").size(1).start()) {
            for (Counter proxy : List.of(pool.proxy(), pool.key("a").proxy())) {
                proxy.note(null); // the instance fails with it

                LogRecord line = lines.poll(WAIT, TimeUnit.SECONDS);
                assertThat(line).isNotNull();
                assertThat(line.getMessage())
                        .isEqualTo(
                                "Pool unseen: the one-way call note failed, and its caller does not wait for it");
                assertThat(line.getThrown()).isInstanceOf(NullPointerException.class);
            }
        } finally {
            logger.removeHandler(handler);
        }
    }

    @Test
    void proxy_serviceThatCallsItsOwnPool_runsOnTheSameInstance() throws Exception {
        Instance instance = new Instance();
        try (ServicePool<Counter> pool =
                ServicePool.of(Counter.class, () -> instance).size(1).start()) {
            instance.self = pool.proxy();

            assertThat(pool.proxy().nested()).isOne();
        }
    }

    @Test
    void proxy_blockingCall_allocatesNothing() throws Exception {
        try (ServicePool<Counter> pool =
                ServicePool.of(Counter.class, Instance::new).size(2).start()) {
            Counter proxy = pool.proxy();
            assertThat(pool.awaitReady(java.time.Duration.ofSeconds(WAIT))).isTrue();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            int calls = 20_000;
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 50 && least >= calls; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < calls; i++) {
                    proxy.add(i, 1);
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
            assertThat(least)
                    .as("bytes of %d calls; less than one each is what was not the calls'", calls)
                    .isLessThan(calls);
        }
    }

    @Test
    void proxy_pooledClassThatIsNoInterface_saysSoAndCallsWorkAllTheSame() {
        try (ServicePool<StringBuilder> pool =
                ServicePool.of(StringBuilder.class, () -> new StringBuilder()).size(1).start()) {
            assertThatThrownBy(pool::proxy)
                    .isInstanceOfSatisfying(
                            ServiceException.class,
                            e -> assertThat(e.kind()).isEqualTo(ServiceException.Kind.NO_PROXY))
                    .hasMessage(
                            "Can't make a proxy of java.lang.StringBuilder: it is not an interface; give the pool an"
                                    + " interface that it implements, or use call(..) and run(..), which need none");
            String text = pool.call(builder -> builder.append("x").toString());
            assertThat(text).isEqualTo("x");
        }
    }

    @Test
    void proxy_manyThreads_noInstanceIsUsedByTwo() throws Exception {
        Set<Object> inUse = ConcurrentHashMap.newKeySet();
        CompletableFuture<String> problem = new CompletableFuture<>();
        try (ServicePool<Runnable> pool =
                ServicePool.of(
                                Runnable.class,
                                () -> {
                                    Object id = new Object();
                                    return () -> {
                                        if (!inUse.add(id)) {
                                            problem.complete("used by two");
                                        }
                                        inUse.remove(id);
                                    };
                                })
                        .size(3)
                        .queue(10_000)
                        .callTimeout(Duration.ZERO)
                        .start()) {
            CountDownLatch done = new CountDownLatch(64);
            for (int i = 0; i < 64; i++) {
                Thread.startVirtualThread(() -> {
                    for (int call = 0; call < 500; call++) {
                        pool.run(Runnable::run);
                    }
                    done.countDown();
                });
            }
            assertThat(done.await(WAIT, TimeUnit.SECONDS)).isTrue();
            assertThat(problem).isNotDone();
        }
    }
}
