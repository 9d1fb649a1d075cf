package dev.penstock.bench.service.stress;

import dev.penstock.service.handover.Handover;
import dev.penstock.service.handover.Waiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A pool is closed while a call queues: the call is refused, at once or as one that waits. */
@JCStressTest
@Outcome(id = "CLOSED, WAITING 0", expect = Expect.ACCEPTABLE, desc = "refused at once")
@Outcome(id = "QUEUED, CLOSED 1", expect = Expect.ACCEPTABLE, desc = "refused while it waited")
@Outcome(expect = Expect.FORBIDDEN, desc = "a call that waits for ever")
@State
public class CloseAgainstEnqueue extends HandoverState {
    /** Closes the pool. */
    @Actor
    public void close() {
        handover.flag(Handover.CLOSED, true);
        handover.refuseAll(Waiter.Outcome.CLOSED);
    }

    /** Queues. */
    @Actor
    public void enqueue(LL_Result result) {
        result.r1 = handover.enqueue(call);
    }

    /** Looks at what is left. */
    @Arbiter
    public void look(LL_Result result) {
        result.r2 = call.seen();
    }
}
