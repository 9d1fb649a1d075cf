package dev.penstock.bench.service.peer;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.smallrye.faulttolerance.api.Guard;
import java.time.Duration;

/** Bulkheads of fault tolerance libraries around a shared object, set up to wait. */
final class Bulkheads {
    private static final Duration LONG = Duration.ofHours(1);

    private Bulkheads() {}

    static Bounded resilience4j(int atOnce, Work shared) {
        BulkheadConfig configuration =
                BulkheadConfig.custom()
                        .maxConcurrentCalls(atOnce)
                        .maxWaitDuration(LONG)
                        .fairCallHandlingStrategyEnabled(true)
                        .build();
        Bulkhead bulkhead = Bulkhead.of("work", configuration);
        return argument -> bulkhead.executeCallable(() -> shared.perform(argument));
    }

    static Bounded smallRye(int atOnce, int waiting, Work shared) {
        Guard guard =
                Guard.create()
                        .withBulkhead()
                        .limit(atOnce)
                        .queueSize(waiting)
                        .enableSynchronousQueueing()
                        .done()
                        .build();
        return argument -> guard.call(() -> shared.perform(argument), Long.class);
    }
}
