package dev.penstock.bench.service.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A call leaves the queue while a permit comes for it: it has left and the permit is idle, or it has the permit. */
@JCStressTest
@Outcome(id = "true, CANCELLED 0 idle 0", expect = Expect.ACCEPTABLE, desc = "it has left")
@Outcome(id = "false, HANDED 1 idle -1", expect = Expect.ACCEPTABLE, desc = "it has the permit")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost permit, or a call that was told twice")
@State
public class CancelAgainstRelease extends HandoverState {
    /** With a call that waits. */
    public CancelAgainstRelease() {
        var _ = handover.enqueue(call);
    }

    /** Leaves the queue. */
    @Actor
    public void cancel(LL_Result result) {
        result.r1 = handover.cancel(call);
    }

    /** Gives the permit back. */
    @Actor
    public void release() {
        var _ = handover.release(first);
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(LL_Result result) {
        result.r2 = call.seen() + " idle " + taken();
    }
}
