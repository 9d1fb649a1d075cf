package dev.penstock.bench.service.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Two permits are given back while two calls queue: each call has one, and not the same. */
@JCStressTest
@Outcome(
        id = {"0 1 idle -1", "1 0 idle -1"},
        expect = Expect.ACCEPTABLE,
        desc = "each has one")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost permit, a lost call, or a permit of both")
@State
public class TwoReleases extends HandoverState {
    /** Gives both permits back. */
    @Actor
    public void release() {
        var _ = handover.release(first);
        var _ = handover.release(second);
    }

    /** Queues one call after the other. */
    @Actor
    public void enqueue() {
        var _ = handover.enqueue(call);
        var _ = handover.enqueue(other);
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(L_Result result) {
        result.r1 = call.ticket() + " " + other.ticket() + " idle " + taken();
    }
}
