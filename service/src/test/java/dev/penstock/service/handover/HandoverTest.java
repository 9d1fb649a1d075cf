package dev.penstock.service.handover;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Waiter.Outcome;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The hand-over against a simple model, among threads, and with very many waiters. */
@Timeout(300)
class HandoverTest {
    private static final class Ticket extends Permit {
        Ticket(int index) {
            super(index);
        }
    }

    private static final class Call extends Waiter {
        final int number;
        int woken;
        boolean abandoned;

        Call(int number) {
            super(number, number);
            this.number = number;
        }

        @Override
        protected boolean isAbandoned() {
            return abandoned;
        }

        @Override
        protected void wake() {
            woken++;
        }
    }

    @RepeatedTest(200)
    void randomOperations_oneThread_doAsTheModel() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int limit = random.nextInt(6);
        Handover<Ticket> handover = new Handover<>(limit);
        Deque<Ticket> idle = new ArrayDeque<>();
        Deque<Call> queue = new ArrayDeque<>();
        List<Ticket> taken = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(40); i++) {
            Ticket ticket = new Ticket(i);
            handover.register(ticket);
            taken.add(ticket);
        }
        for (int step = 0; step < 500; step++) {
            String context = "seed " + seed + ", step " + step;
            switch (random.nextInt(8)) {
                case 5 -> {
                    List<Ticket> unfit = handover.takeIdle(each -> each.index() % 3 == 0);
                    List<Ticket> expected =
                            idle.stream().filter(each -> each.index() % 3 == 0).toList();
                    assertThat(unfit).as(context).containsExactlyElementsOf(expected);
                    idle.removeAll(expected);
                    taken.addAll(unfit);
                }
                case 6 -> {
                    if (!queue.isEmpty()) {
                        Call nobodyWants = List.copyOf(queue).get(random.nextInt(queue.size()));
                        nobodyWants.abandoned = true;
                    }
                }
                case 7 -> {
                    Outcome outcome = random.nextBoolean() ? Outcome.CLOSED : Outcome.STOPPED;
                    int flag = outcome == Outcome.CLOSED ? Handover.CLOSED : Handover.STOPPED;
                    handover.flag(flag, true);
                    assertThat(handover.tryAcquire()).as(context).isNull();
                    assertThat(handover.enqueue(new Call(step)).name())
                            .as(context)
                            .isEqualTo(outcome.name());
                    if (random.nextInt(4) == 0) {
                        handover.refuseAll(outcome);
                        for (Call each = queue.poll(); each != null; each = queue.poll()) {
                            assertThat(each.outcome()).as(context).isEqualTo(outcome);
                            assertThat(each.woken).as(context).isOne();
                        }
                    }
                    handover.flag(flag, false);
                }
                case 0 -> {
                    Ticket expected = queue.isEmpty() ? idle.pollFirst() : null;
                    assertThat(handover.tryAcquire()).as(context).isSameAs(expected);
                    if (expected != null) {
                        taken.add(expected);
                    }
                }
                case 1 -> {
                    if (!taken.isEmpty()) {
                        Ticket back = taken.remove(random.nextInt(taken.size()));
                        handover.release(back);
                        Call first = queue.pollFirst();
                        while (first != null && first.abandoned) {
                            assertThat(first.outcome()).as(context).isEqualTo(Outcome.CANCELLED);
                            first = queue.pollFirst();
                        }
                        if (first == null) {
                            idle.addFirst(back);
                        } else {
                            assertThat(first.permit()).as(context).isSameAs(back);
                            assertThat(first.outcome()).as(context).isEqualTo(Outcome.HANDED);
                            assertThat(first.woken).as(context).isOne();
                            taken.add(back);
                        }
                    }
                }
                case 2 -> {
                    Call call = new Call(step);
                    if (random.nextInt(10) == 0) {
                        call.admit();
                    }
                    Admission admission = handover.enqueue(call);
                    if (!idle.isEmpty()) {
                        assertThat(admission).as(context).isEqualTo(Admission.ACQUIRED);
                        Ticket first = idle.removeFirst();
                        assertThat(call.permit()).as(context).isSameAs(first);
                        taken.add(first);
                    } else if (queue.size() >= limit && !call.isAdmitted()) {
                        assertThat(admission).as(context).isEqualTo(Admission.FULL);
                    } else {
                        assertThat(admission).as(context).isEqualTo(Admission.QUEUED);
                        queue.addLast(call);
                    }
                }
                case 3 -> {
                    List<Call> calls = List.copyOf(queue);
                    if (!calls.isEmpty()) {
                        Call leaves = calls.get(random.nextInt(calls.size()));
                        assertThat(handover.cancel(leaves)).as(context).isTrue();
                        assertThat(handover.cancel(leaves)).as(context).isFalse();
                        queue.remove(leaves);
                    }
                }
                default -> {
                    int now = step - 1 - random.nextInt(20);
                    handover.expire(now, Long.MAX_VALUE);
                    while (!queue.isEmpty()
                            && (queue.getFirst().number <= now || queue.getFirst().abandoned)) {
                        Call late = queue.removeFirst();
                        assertThat(late.outcome())
                                .as(context)
                                .isEqualTo(late.abandoned ? Outcome.CANCELLED : Outcome.TIMED_OUT);
                        assertThat(late.woken).as(context).isOne();
                    }
                }
            }
            handover.expire(-1, Long.MAX_VALUE); // those at the head that nobody wants leave
            while (!queue.isEmpty() && queue.getFirst().abandoned) {
                assertThat(queue.removeFirst().outcome()).as(context).isEqualTo(Outcome.CANCELLED);
            }
            assertThat(handover.waiting()).as(context).isEqualTo(queue.size());
        }
    }

    @Test
    void waiters_aMillion_takeLittleMemoryAndAreServedInOrder() {
        int many = 1_000_000;
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Handover<Ticket> handover = new Handover<>(many);
        List<Ticket> tickets = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Ticket ticket = new Ticket(i);
            handover.register(ticket);
            tickets.add(ticket);
        }
        Waiter[] waiters = new Waiter[many];
        long before = memory.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < many; i++) {
            waiters[i] = new ThreadWaiter(i, i);
            handover.enqueue(waiters[i]);
        }
        long bytes = memory.getCurrentThreadAllocatedBytes() - before;

        assertThat(handover.waiting()).isEqualTo(many);
        assertThat(bytes / many).isLessThanOrEqualTo(200);
        for (int i = 0; i < many; i++) {
            Ticket ticket = tickets.get(i % 8);
            handover.release(ticket);
            assertThat(waiters[i].permit()).isSameAs(ticket);
        }
        assertThat(handover.waiting()).isZero();
    }

    @RepeatedTest(3)
    void permits_amongThreads_areHeldByOneAtATimeAndNeverLost() throws Exception {
        int size = 3;
        Handover<Ticket> handover = new Handover<>(100);
        AtomicIntegerArray held = new AtomicIntegerArray(size);
        AtomicInteger wrong = new AtomicInteger();
        for (int i = 0; i < size; i++) {
            Ticket ticket = new Ticket(i);
            handover.register(ticket);
            handover.release(ticket);
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Runnable calls =
                    () -> {
                        for (int call = 0; call < 100_000; call++) {
                            Ticket ticket = handover.tryAcquire();
                            if (ticket == null) {
                                ThreadWaiter waiter = new ThreadWaiter(0, 0);
                                Admission admission = handover.enqueue(waiter);
                                if (admission == Admission.QUEUED) {
                                    waiter.await(handover);
                                }
                                ticket = (Ticket) waiter.permit();
                            }
                            if (ticket == null || held.getAndIncrement(ticket.index()) != 0) {
                                wrong.incrementAndGet();
                                return;
                            }
                            held.decrementAndGet(ticket.index());
                            handover.release(ticket);
                        }
                    };
            threads.add(
                    i % 2 == 0
                            ? Thread.startVirtualThread(calls)
                            : Thread.ofPlatform().start(calls));
        }
        for (Thread each : threads) {
            each.join();
        }

        assertThat(wrong).hasValue(0);
        Set<Ticket> all = new HashSet<>();
        for (Ticket each = handover.tryAcquire(); each != null; each = handover.tryAcquire()) {
            all.add(each);
        }
        assertThat(all).hasSize(size);
        assertThat(handover.waiting()).isZero();
    }
}
