package dev.penstock.query.typed.stream;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.QueryException;
import dev.penstock.query.Subquery;
import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation.Shape;
import dev.penstock.query.typed.subquery.StreamSubquery;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline of a stream that was used up by a condition. It runs in a context of its own each time, so that nothing
 * of it is open before the stream that is filtered comes to its terminal operation, or after it.
 */
final class PipelineSubquery implements StreamSubquery {
    /** The most values that are read. */
    static final int MOST_VALUES = 1_000_000;

    private final StreamContext context;
    private final Pipeline pipeline;
    private @Nullable Set<Object> values;

    /**
     * @param context the stream's own, which has its handlers
     */
    PipelineSubquery(StreamContext context, Pipeline pipeline) {
        this.context = context;
        this.pipeline = pipeline;
    }

    private Recording<?> recording() {
        return pipeline.recording();
    }

    @Override
    public @Nullable String obstacle(Engine engine) {
        JvmOperation code = pipeline.operation();
        if (code != null) {
            return code.name() + " is code or no operation on fields";
        }
        Recording<?> recording = recording();
        Field<?, ?> field = recording.projected();
        if (field == null) {
            return "they are no values of a field";
        }
        if (!recording.mapping().asked().equals(engine)) {
            return "they are asked of " + recording.mapping().engine().name();
        }
        if (!recording.mapping().isExact(field)) {
            return "%s holds truth values as numbers".formatted(field);
        }
        if (recording.values() != Shape.OBJECT && recording.hasNulls()) {
            return "a null of %s is an error, which only reading it shows".formatted(field);
        }
        List<String> readings = recording.readings();
        return readings.isEmpty() ? null : readings.getFirst();
    }

    @Override
    public Plan planned() {
        return Subquery.asSet(recording().plan());
    }

    @Override
    public @Nullable Field<?, ?> field() {
        return recording().projected();
    }

    @Override
    public synchronized Set<Object> values() {
        Set<Object> known = values;
        if (known == null) {
            known = read();
            values = known;
        }
        return known;
    }

    private Set<Object> read() {
        Set<Object> read = new HashSet<>();
        StreamContext reading = new StreamContext();
        return requireNonNull(
                reading.end(() -> {
                    ((Stream<?>) reading.start(pipeline)).forEach(value -> add(value, read));
                    return read;
                }));
    }

    private void add(@Nullable Object value, Set<Object> read) {
        if (value != null && read.add(value) && read.size() > MOST_VALUES) {
            throw new QueryException(
                    QueryException.Kind.MEMORY_LIMIT,
                    ("reading the values of a stream of %s for in(…) failed: there are more than %,d different ones."
                                    + " Filter them, or ask both streams of one engine without code in the inner"
                                    + " one, so that one query does both (explain tells)")
                            .formatted(recording().mapping().entity(), MOST_VALUES));
        }
    }

    @Override
    public void close() {
        context.close();
    }
}
