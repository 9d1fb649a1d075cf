package dev.penstock.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory that proxies take: none for a blocking call, and none after their interface is gone. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ProxyMemoryTest {
    private static final int CALLS = 20_000;

    private static final ProxyGenerator GENERATOR = new ProxyGenerator(Deprecated.class);

    /** A pool that does nothing but hand out its service. */
    private record Direct(Object service) implements ProxyTarget {
        @Override
        public Object borrow(String method) {
            return this;
        }

        @Override
        public Object service(Object lease) {
            return service;
        }

        @Override
        public void complete(Object lease) {}

        @Override
        public Throwable fail(Object lease, Throwable failure) {
            return failure;
        }

        @Override
        public void oneway(String method, ProxyCall call) {
            throw new AssertionError();
        }

        @Override
        public CompletableFuture<@Nullable Object> async(String method, ProxyCall call) {
            throw new AssertionError();
        }

        @Override
        public CompletableFuture<@Nullable Object> stage(String method, ProxyCall call) {
            throw new AssertionError();
        }

        @Override
        public @Nullable Object await(String method, ProxyCall call) throws Throwable {
            throw new AssertionError("No instance has a thread");
        }
    }

    @Test
    void call_blockingMethodWithPrimitives_allocatesNothing() {
        LongBinaryOperator service = Long::sum;
        LongBinaryOperator proxy =
                GENERATOR
                        .proxyType(LongBinaryOperator.class, false, null)
                        .create("x", _ -> new Direct(service));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < 50 && least > 0; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++) {
                sum += proxy.applyAsLong(i, round);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sum).isPositive();
        assertThat(least).as("bytes of %d calls, in the best of 50 rounds", CALLS).isZero();
    }

    @Test
    void proxyType_interfaceWhoseLoaderIsGone_isUnloaded() throws Exception {
        WeakReference<Class<?>> proxy = unreachable();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (proxy.get() != null && System.nanoTime() < end) {
            System.gc();
        }
        assertThat(proxy.get()).isNull();
    }

    private static WeakReference<Class<?>> unreachable() throws ClassNotFoundException {
        Class<?> type = new RandomInterface(new Random(1)).elsewhere();
        Object proxy =
                GENERATOR.proxyType(type, false, null).create("x", _ -> new Direct("service"));
        return new WeakReference<>(proxy.getClass());
    }
}
