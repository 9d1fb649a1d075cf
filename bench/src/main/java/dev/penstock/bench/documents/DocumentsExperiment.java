package dev.penstock.bench.documents;

import dev.penstock.bench.experiment.Experiment;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import java.util.List;
import org.json.JSONObject;
import tools.jackson.dataformat.xml.XmlMapper;

/** XML documents as JSON, beside parsers that only copy and other converters. */
public final class DocumentsExperiment extends Experiment {
    private static final String CONVERSION = "conversion";
    private static final String MEMORY = "memory";
    private static final String STORES = "stores";
    private static final String INDEXED = "indexed";
    private static final String LARGE = "large";

    /** The experiment. */
    public DocumentsExperiment() {
        super(
                "documents",
                "XML to JSON and back, and documents in databases, beside what else does it; about 45 minutes");
    }

    @Override
    public List<String> parts() {
        return List.of(CONVERSION, MEMORY, STORES, INDEXED, LARGE);
    }

    @Override
    public Outcome run(Trial trial) throws Exception {
        ConversionPart conversion = new ConversionPart(trial);
        MemoryPart memory = new MemoryPart(trial);
        StoresPart stores = new StoresPart(trial);
        IndexedPart indexed = new IndexedPart(trial);
        LargePart large = new LargePart(trial);
        trial.steps(
                (trial.includes(CONVERSION) ? conversion.steps() : 0L)
                        + (trial.includes(MEMORY) ? memory.steps() : 0)
                        + (trial.includes(STORES) ? stores.steps() : 0)
                        + (trial.includes(INDEXED) ? indexed.steps() : 0)
                        + (trial.includes(LARGE) ? large.steps() : 0));
        Outcome outcome = new Outcome(name(), "XML documents as JSON");
        outcome.peer("Woodstox", Parsers.woodstox().getClass());
        outcome.peer("Aalto", Parsers.aalto().getClass());
        outcome.peer("Jackson's XmlMapper", XmlMapper.class);
        outcome.peer("org.json", JSONObject.class);
        outcome.text(
                """
                The documents are generated: people with attributes, addresses and hobbies, without white space between
                the elements. A conversion goes from bytes in memory to nowhere, again and again, in a JVM of its own. A
                copy parses the document and writes it again, and is what no converter by the same parser can do faster.
                """);
        if (trial.includes(CONVERSION)) {
            conversion.measure(outcome);
        }
        if (trial.includes(MEMORY)) {
            memory.measure(outcome);
        }
        if (trial.includes(STORES)) {
            stores.measure(outcome);
        }
        if (trial.includes(INDEXED)) {
            indexed.measure(outcome);
        }
        if (trial.includes(LARGE)) {
            large.measure(outcome);
        }
        return outcome;
    }
}
