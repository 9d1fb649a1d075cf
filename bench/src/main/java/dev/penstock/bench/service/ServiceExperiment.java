package dev.penstock.bench.service;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.bench.service.call.ContendedPart;
import dev.penstock.bench.service.call.OutstandingPart;
import dev.penstock.bench.service.call.SinglePart;
import dev.penstock.bench.service.crowd.CoresPart;
import dev.penstock.bench.service.crowd.FairnessPart;
import dev.penstock.bench.service.crowd.MillionPart;
import dev.penstock.bench.service.crowd.OverloadPart;
import dev.penstock.bench.service.crowd.ThreadsPart;
import dev.penstock.bench.service.peer.Contender;
import java.util.ArrayList;
import java.util.List;

/** Pools of service instances beside semaphores, bulkheads, object pools and actors. */
public final class ServiceExperiment extends Experiment {
    private static final String SINGLE = "single";
    private static final String CONTENDED = "contended";
    private static final String OUTSTANDING = "outstanding";
    private static final String MILLION = "million";
    private static final String FAIRNESS = "fairness";
    private static final String OVERLOAD = "overload";
    private static final String CORES = "cores";
    private static final String THREADS = "threads";

    /** The experiment. */
    public ServiceExperiment() {
        super(
                "service",
                "pools of services beside semaphores, bulkheads, object pools, actors; about eleven minutes");
    }

    @Override
    public List<String> parts() {
        return List.of(SINGLE, CONTENDED, OUTSTANDING, MILLION, FAIRNESS, OVERLOAD, CORES, THREADS);
    }

    /** A part as it is run. */
    private record Part(int steps, Measurement measurement) {}

    /** The measurement of a part. */
    private interface Measurement {
        void measure(Outcome outcome) throws Exception;
    }

    private static List<Part> parts(Trial trial) {
        List<Part> parts = new ArrayList<>();
        if (trial.includes(SINGLE)) {
            SinglePart part = new SinglePart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(CONTENDED)) {
            ContendedPart part = new ContendedPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(OUTSTANDING)) {
            OutstandingPart part = new OutstandingPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(MILLION)) {
            MillionPart part = new MillionPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(FAIRNESS)) {
            FairnessPart part = new FairnessPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(OVERLOAD)) {
            OverloadPart part = new OverloadPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(CORES)) {
            CoresPart part = new CoresPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        if (trial.includes(THREADS)) {
            ThreadsPart part = new ThreadsPart(trial);
            parts.add(new Part(part.steps(), part::measure));
        }
        return parts;
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        Outcome outcome = new Outcome(name(), "Pools of service instances");
        Contender.addPeers(outcome);
        outcome.text(
                """
                Each contender runs in JVMs of its own. Penstock, Stormpot, commons-pool2 and Pekko have an object for
                each call at once; semaphores and bulkheads count, and share one. All wait for their turn. Only
                Penstock ends a call that runs for too long and counts what calls take, unless it says otherwise.
                """);
        List<Part> parts = parts(trial);
        trial.steps(parts.stream().mapToLong(Part::steps).sum());
        for (Part part : parts) {
            part.measurement.measure(outcome);
        }
        return outcome;
    }
}
