package dev.penstock.bench.service.stress;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LLL_Result;

/** Two calls want the one idle permit, one of which would queue: one of them has it, and never both. */
@JCStressTest
@Outcome(id = "true, QUEUED, -1 idle -1", expect = Expect.ACCEPTABLE, desc = "the first has it")
@Outcome(id = "false, ACQUIRED, 0 idle -1", expect = Expect.ACCEPTABLE, desc = "the second has it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a permit of both or of none")
@State
public class AcquireAgainstEnqueue extends HandoverState {
    /** With one idle permit. */
    public AcquireAgainstEnqueue() {
        var _ = handover.release(first);
    }

    /** Takes it if nobody waits. */
    @Actor
    public void acquire(LLL_Result result) {
        result.r1 = handover.tryAcquire() != null;
    }

    /** Takes it, or queues. */
    @Actor
    public void enqueue(LLL_Result result) {
        result.r2 = handover.enqueue(call);
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(LLL_Result result) {
        result.r3 = call.ticket() + " idle " + taken();
    }
}
