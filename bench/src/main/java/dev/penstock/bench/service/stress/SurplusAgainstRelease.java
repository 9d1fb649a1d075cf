package dev.penstock.bench.service.stress;

import dev.penstock.service.handover.Handover;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/** A pool shrinks while a permit is given back: who gives it back is told, or who shrinks finds it idle. */
@JCStressTest
@Outcome(
        id = "true, -1",
        expect = Expect.ACCEPTABLE,
        desc = "told, and not idle yet when looked for")
@Outcome(id = "true, 0", expect = Expect.ACCEPTABLE, desc = "told, and found")
@Outcome(id = "false, 0", expect = Expect.ACCEPTABLE, desc = "found")
@Outcome(expect = Expect.FORBIDDEN, desc = "a permit that stays, and nobody knows that it is to go")
@State
public class SurplusAgainstRelease extends HandoverState {
    /** Says that there are too many instances, and takes an idle one away. */
    @Actor
    public void shrink(LL_Result result) {
        handover.flag(Handover.SURPLUS, true);
        result.r2 = taken();
    }

    /** Gives the permit back. */
    @Actor
    public void release(LL_Result result) {
        result.r1 = handover.release(first);
    }
}
