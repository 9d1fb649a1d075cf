package dev.penstock.bench.service.stress;

import dev.penstock.service.handover.Handover.Admission;
import dev.penstock.service.handover.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** The last permit is given back while a call queues: the call gets it, and none waits beside an idle permit. */
@JCStressTest
@Outcome(
        id = "ACQUIRED, HANDED 0 idle -1",
        expect = Expect.ACCEPTABLE,
        desc = "the permit was there")
@Outcome(id = "QUEUED, HANDED 0 idle -1", expect = Expect.ACCEPTABLE, desc = "it was handed over")
@Outcome(expect = Expect.FORBIDDEN, desc = "a lost permit or a lost call")
@State
public class ReleaseAgainstEnqueue extends HandoverState {
    /** Gives the permit back. */
    @Actor
    public void release() {
        var _ = handover.release(first);
    }

    /** Queues. */
    @Actor
    public void enqueue(LL_Result result) {
        Admission admission = handover.enqueue(call);
        result.r1 = admission;
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(LL_Result result) {
        boolean handed = call.outcome() == Waiter.Outcome.HANDED;
        result.r2 = (handed ? "HANDED " : "lost ") + call.ticket() + " idle " + taken();
    }
}
