package dev.penstock.bench.service.crowd;

import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.management.VirtualThreadSchedulerMXBean;

/**
 * Virtual threads that all wait at once. They come by one carrier, one after another, so that the order in which they
 * came is known; they are served by all carriers.
 */
final class LongQueue {
    /** The option of a JVM whose virtual threads have one carrier at first. */
    static final String ONE_CARRIER = "-Djdk.virtualThreadScheduler.parallelism=1";

    private static final String OUR_CLASSES = "dev.penstock.service.";
    private static final int POLL_MILLISECONDS = 20;

    /**
     * The observations of a queue.
     *
     * @param bytesEach of the heap, beyond what as many threads take that only wait
     * @param poolBytesEach of objects of the pool's own classes
     * @param overtaken the most threads, at any time, that had not begun though one that came later had; as many as
     *     the instances less one have their turn and not yet a processor
     * @param nanos from the first to the last that was served
     */
    record Seen(double bytesEach, double poolBytesEach, int overtaken, int served, long nanos)
            implements Serializable {}

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger arrived = new AtomicInteger();
    private final AtomicInteger next = new AtomicInteger();
    private final int[] served;
    private final int instances;

    private LongQueue(int instances, int waiting) {
        this.instances = instances;
        served = new int[waiting];
    }

    /** Measures it in this JVM, which has {@link #ONE_CARRIER} and is to run nothing else. */
    static Seen measure(String contender, int instances, int waiting) throws Exception {
        VirtualThreadSchedulerMXBean scheduler =
                ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
        LongQueue queue = new LongQueue(instances, waiting);
        long bare = queue.bareBytes();
        try (Bounded bounded =
                Contender.valueOf(contender).start(instances, waiting, () -> queue.new Turn())) {
            return queue.measure(bounded, bare, scheduler);
        }
    }

    /** The work: the first ones hold their instances until the gate opens, and the others note when their turn is. */
    private final class Turn implements Work {
        @Override
        public long perform(long argument) {
            if (argument < 0) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            } else {
                served[next.getAndIncrement()] = (int) argument;
            }
            return 0;
        }
    }

    /** A call as one thread makes it. */
    private interface Call {
        void call(int number) throws Exception;
    }

    private static List<Thread> start(int threads, Call call) {
        List<Thread> all = new ArrayList<>(threads);
        for (int i = 0; i < threads; i++) {
            int number = i;
            all.add(
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    call.call(number);
                                } catch (Exception e) {
                                    throw new IllegalStateException("call " + number, e);
                                }
                            }));
        }
        return all;
    }

    private static void awaitWaiting(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING
                    && thread.getState() != Thread.State.TIMED_WAITING) {
                if (thread.getState() == Thread.State.TERMINATED) {
                    throw new IllegalStateException("a call ended before the gate was opened");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLISECONDS);
            }
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Returns the heap that is in use while as many threads only wait. */
    private long bareBytes() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        List<Thread> threads =
                start(
                        served.length,
                        _ -> {
                            while (end.getCount() > 0) {
                                LockSupport.park();
                            }
                        });
        awaitWaiting(threads);
        long bytes = HeapWatch.liveBytes();
        end.countDown();
        threads.forEach(LockSupport::unpark);
        join(threads);
        return bytes;
    }

    private Seen measure(Bounded bounded, long bare, VirtualThreadSchedulerMXBean scheduler)
            throws Exception {
        List<Thread> holders = start(instances, _ -> bounded.perform(-1));
        awaitWaiting(holders);
        List<Thread> threads =
                start(served.length, _ -> bounded.perform(arrived.getAndIncrement()));
        awaitWaiting(threads);
        double bytes = HeapWatch.liveBytes() - bare;
        double own = ownBytes();
        scheduler.setParallelism(Runtime.getRuntime().availableProcessors());
        long start = System.nanoTime();
        gate.countDown();
        join(threads);
        long nanos = System.nanoTime() - start;
        join(holders);
        return new Seen(bytes / served.length, own / served.length, overtaken(), next.get(), nanos);
    }

    private int overtaken() {
        int latest = 0;
        int most = 0;
        for (int i = 0; i < served.length; i++) {
            latest = Math.max(latest, served[i]);
            most = Math.max(most, latest - i);
        }
        return most;
    }

    /** Returns the bytes of all objects of the pool's classes. */
    private static long ownBytes() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        Object histogram =
                server.invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        // Such as: "   1:       1000000       24000000  dev.penstock.service.Waiter
        // (dev.penstock.service)"
        return histogram
                .toString()
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 3 && words[3].contains(OUR_CLASSES))
                .mapToLong(words -> Long.parseLong(words[2]))
                .sum();
    }
}
