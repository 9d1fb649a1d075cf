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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pipeline of a stream that was used up by a condition. It runs in a context of its own each time, so that nothing
 * of it is open before the stream that is filtered comes to its terminal operation, or after it.
 */
final class PipelineSubquery implements StreamSubquery {
    private final StreamContext context;
    private final Pipeline pipeline;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final ReentrantLock reading = new ReentrantLock();

    /** Written under the lock. */
    private volatile @Nullable Set<Object> values;

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
    public Planning planning(Engine engine) {
        Recording<?> recording = recording();
        Field<?, ?> field = recording.projected();
        String obstacle = obstacle(engine, field);
        if (obstacle != null) {
            return new Planning.ReadFirst(obstacle);
        }
        List<String> unread = new ArrayList<>();
        Plan plan = recording.plan(unread::add);
        return unread.isEmpty()
                ? new Planning.Planned(Subquery.asSet(plan), recording.field())
                : new Planning.PlannedAfterReading(
                        unread, () -> Subquery.asSet(recording.plan()), recording.field());
    }

    /** Returns why the values are no part of a query, before a plan is made; null where nothing tells so. */
    private @Nullable String obstacle(Engine engine, @Nullable Field<?, ?> field) {
        JvmOperation code = pipeline.operation();
        if (code != null) {
            return code.name() + " is code or no operation on fields";
        }
        Recording<?> recording = recording();
        if (field == null) {
            return "they are no values of a field";
        }
        if (!recording.mapping().asked().equals(engine)) {
            return "they are asked of " + recording.mapping().engine().name();
        }
        if (!recording.mapping().isExact(field)) {
            return "%s holds truth values as numbers".formatted(field);
        }
        return recording.values() != Shape.OBJECT && recording.hasNulls()
                ? "a null of %s is an error, which only reading it shows".formatted(field)
                : null;
    }

    /** Whoever comes while another thread reads them waits, for a connection at the end, and hears an interrupt. */
    @Override
    public Set<Object> values() {
        Set<Object> already = values;
        if (already != null) {
            return already;
        }
        try {
            reading.lockInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QueryException(
                    QueryException.Kind.CANCELLED,
                    "interrupted before the values of a stream were read",
                    e);
        }
        try {
            Set<Object> known = values;
            if (known == null) {
                known = read();
                values = known;
            }
            return known;
        } finally {
            reading.unlock();
        }
    }

    private Set<Object> read() {
        ReadValues read = new ReadValues(recording().mapping().entity().toString());
        StreamContext own = new StreamContext();
        return requireNonNull(
                own.end(() -> {
                    ((Stream<?>) own.start(pipeline)).forEach(read::add);
                    return read.values();
                }));
    }

    @Override
    public void close() {
        // Streams of several threads may be filtered by the same condition.
        if (isClosed.compareAndSet(false, true)) {
            context.close();
        }
    }
}
