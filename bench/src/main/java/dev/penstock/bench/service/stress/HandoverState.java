package dev.penstock.bench.service.stress;

import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Permit;
import dev.penstock.service.handover.Waiter;
import java.util.concurrent.atomic.AtomicInteger;

/** A hand-over with permits that have been taken and waiters that have not come yet. */
public class HandoverState {
    /** The result of {@link #taken} when no permit is idle. */
    static final int NONE = -1;

    final Handover<Ticket> handover = new Handover<>(8);
    final Ticket first = new Ticket(0);
    final Ticket second = new Ticket(1);
    final Call call = new Call();
    final Call other = new Call();

    /** A hand-over with two permits, both taken. */
    public HandoverState() {
        handover.register(first);
        handover.register(second);
    }

    /** A permit without an instance. */
    static final class Ticket extends Permit {
        private final int number;

        Ticket(int number) {
            super(number);
            this.number = number;
        }
    }

    /** A call that does nothing when its turn has come. */
    static final class Call extends Waiter {
        private final AtomicInteger woken = new AtomicInteger();

        Call() {
            super(0, 0);
        }

        @Override
        protected void wake() {
            woken.incrementAndGet();
        }

        /** Returns its outcome and how often it was told, such as {@code HANDED 1}. */
        String seen() {
            return outcome() + " " + woken.get();
        }

        /** Returns the number of its permit, or {@link #NONE}. */
        int ticket() {
            return permit() instanceof Ticket ticket ? ticket.number : NONE;
        }
    }

    /** Takes an idle permit. Returns its number, or {@link #NONE}. */
    final int taken() {
        Ticket ticket = handover.takeIdle();
        return ticket == null ? NONE : ticket.number;
    }
}
