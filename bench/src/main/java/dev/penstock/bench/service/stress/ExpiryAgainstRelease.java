package dev.penstock.bench.service.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A call has waited for too long while a permit comes for it: it is told once, and the permit is its own or idle. */
@JCStressTest
@Outcome(id = "TIMED_OUT 1 idle 0", expect = Expect.ACCEPTABLE, desc = "it has waited for too long")
@Outcome(id = "HANDED 1 idle -1", expect = Expect.ACCEPTABLE, desc = "it has the permit")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost permit, or a call that was told twice")
@State
public class ExpiryAgainstRelease extends HandoverState {
    /** With a call that waits. */
    public ExpiryAgainstRelease() {
        var _ = handover.enqueue(call);
    }

    /** Ends the wait of all whose deadline has come. */
    @Actor
    public void expire() {
        var _ = handover.expire(1, Long.MAX_VALUE);
    }

    /** Gives the permit back. */
    @Actor
    public void release() {
        var _ = handover.release(first);
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(L_Result result) {
        result.r1 = call.seen() + " idle " + taken();
    }
}
