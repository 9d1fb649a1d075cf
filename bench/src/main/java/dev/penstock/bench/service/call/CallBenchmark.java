package dev.penstock.bench.service.call;

import dev.penstock.bench.experiment.NanosecondBenchmark;
import dev.penstock.bench.service.peer.Bounded;
import dev.penstock.bench.service.peer.Contender;
import dev.penstock.bench.service.peer.Work;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A call of a service by one thread, whose turn it is always. */
public class CallBenchmark extends NanosecondBenchmark {
    private static final int WAITING = 1000;

    /** Through what the service is called. */
    @Param public Contender contender = Contender.DIRECT;

    private Bounded bounded = _ -> 0;
    private long argument;

    /** Makes the benchmark. */
    public CallBenchmark() {}

    /** Starts the contender. */
    @Setup
    public void start() throws Exception {
        bounded = contender.start(1, WAITING, Work.Sum::new);
    }

    /** Ends it. */
    @TearDown
    public void end() {
        bounded.close();
    }

    /** Calls the service. */
    @Benchmark
    public long call() throws Exception {
        argument++;
        return bounded.perform(argument);
    }
}
