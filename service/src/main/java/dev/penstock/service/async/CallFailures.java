package dev.penstock.service.async;

import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Waiter.Outcome;

/** The failures of calls that a pool does not make, or that end at their deadline. Thread-safe. */
public interface CallFailures {
    /** Returns why a call is not queued. */
    RuntimeException of(String method, Admission admission);

    /** Returns why a call that waited is not made. */
    RuntimeException of(String method, long arrived, Outcome outcome);

    /** Returns the failure of a call that has run until its deadline. */
    RuntimeException ranTooLong(long queued, long ran);

    /** Takes note of the failure of a call for which nobody waits. */
    void unseen(String method, Throwable failure);
}
