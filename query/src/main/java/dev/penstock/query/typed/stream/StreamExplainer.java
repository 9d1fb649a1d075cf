package dev.penstock.query.typed.stream;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.typed.execute.JvmOperation;
import dev.penstock.query.typed.execute.Pipeline;
import dev.penstock.query.typed.execute.StreamExecution;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.query.typed.pushdown.Pushdown;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.pushdown.StreamOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.BaseStream;
import java.util.stream.Collector;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The explainer of streams of a {@code TypedTable}, for people to read. It never shows a value that a query binds. */
public final class StreamExplainer {
    private static final String UNREAD =
            "not shown: filters by values that are read first, and then are in the plan\n";

    private StreamExplainer() {}

    /**
     * Describes how a stream would run as it is so far: the plan, the engine, the SQL with a mark for each value, and
     * what the JVM does and why. The stream is not used up, and no query is run.
     *
     * @throws IllegalArgumentException if the stream does not come from a typed table
     */
    public static String of(BaseStream<?, ?> stream) {
        if (!(stream instanceof Stage<?, ?> stage)) {
            throw new IllegalArgumentException(
                    "explaining a %s: only streams of a typed table can be explained"
                            .formatted(stream.getClass().getName()));
        }
        Pipeline pipeline = stage.pipeline();
        StreamExecution execution;
        List<String> readings;
        try {
            readings = pipeline.recording().readings();
            execution =
                    stage.context.execution(
                            readings.isEmpty() ? pipeline : pipeline.withoutReadings());
        } catch (QueryException e) {
            // The engine has not what the stream needs.
            String engine = pipeline.recording().mapping().engine().name();
            return "engine: " + engine + "\nrefused: " + e.getMessage() + "\n";
        }
        Engine engine = execution.pushdown().read().mapping().engine();
        return engine.explain(execution.plan()).text()
                + (readings.isEmpty() ? "" : UNREAD)
                + readings(readings, execution, stage.context)
                + inTheJvm(execution, stage.context);
    }

    /**
     * Returns which values are read first.
     *
     * @param mapped what is told of those that become part of the plan
     * @param execution has the conditions that the JVM tests; null where the engine answers alone
     */
    private static String readings(
            List<String> mapped, @Nullable StreamExecution execution, StreamContext context) {
        List<String> all = new ArrayList<>(mapped.stream().distinct().toList());
        if (execution != null) {
            Pushdown pushdown = execution.pushdown();
            List<Condition<?>> tested = new ArrayList<>(pushdown.conditions());
            for (StreamOperation operation : pushdown.rest()) {
                if (operation instanceof StreamOperation.Filter(Condition<?> condition)) {
                    tested.add(condition);
                }
            }
            tested.addAll(context.given());
            EntityMapping<?> mapping = pushdown.read().mapping();
            tested.forEach(condition -> mapping.addReadings(condition, all));
        }
        StringBuilder text = new StringBuilder();
        all.forEach(why -> text.append("read first: ").append(why).append('\n'));
        return text.toString();
    }

    private static String inTheJvm(StreamExecution execution, StreamContext context) {
        StringBuilder text = new StringBuilder();
        List<String> replayed = names(execution, false);
        if (!replayed.isEmpty()) {
            text.append("in the JVM: ").append(String.join(", ", replayed)).append('\n');
            execution
                    .pushdown()
                    .reasons()
                    .forEach(why -> text.append("because: ").append(why).append('\n'));
        }
        List<String> code = names(execution, true);
        if (!code.isEmpty()) {
            text.append("in the JVM, because it is code or no operation on fields: ")
                    .append(String.join(", ", code))
                    .append('\n');
        }
        context.reasons().forEach(why -> text.append("because: ").append(why).append('\n'));
        if (context.terminal() != null) {
            text.append("the rows are read by: ").append(context.terminal()).append('\n');
        }
        Collector<?, ?, ?> collector = context.collector();
        String instead = collector == null ? null : CollectorHint.of(collector);
        if (instead != null) {
            text.append("hint: ").append(instead).append('\n');
        }
        return text.toString();
    }

    private static List<String> names(StreamExecution execution, boolean code) {
        List<String> names = new ArrayList<>();
        for (JvmOperation operation : execution.operations()) {
            if (operation.code() == code) {
                names.add(operation.name());
            }
        }
        return names;
    }

    /** Runs a program on a stream of a table and describes the queries that it ran. */
    public static <R> String run(
            Engine asked, Entity<R> entity, Function<? super Stream<R>, ?> program) {
        Watched engine = new Watched(asked, new ArrayList<>());
        StreamContext context = new StreamContext();
        List<String> readings = new ArrayList<>();
        EntityMapping<R> mapping = new EntityMapping<>(engine, entity, false, asked, readings::add);
        try (Stream<R> stream = RowRecorder.of(context, Recording.of(mapping))) {
            Object ignored = program.apply(stream);
        } catch (QueryException e) {
            if (e.kind() != QueryException.Kind.UNKNOWN_NAME) {
                throw e;
            }
            // Memory lacks what the program needs, and nobody else is asked.
            return "engine: " + asked.name() + "\nrefused: " + e.getMessage() + "\n";
        }
        StringBuilder text = new StringBuilder();
        engine.opened.forEach(plan -> text.append(engine.explain(plan).text()));
        StreamExecution execution = context.execution();
        text.append(readings(readings, execution, context));
        if (execution != null) {
            text.append(inTheJvm(execution, context));
        }
        return text.toString();
    }

    /** An engine that notes the plans that it opened. */
    private record Watched(Engine engine, List<Plan> opened) implements Engine {
        @Override
        public String name() {
            return engine.name();
        }

        @Override
        public Schema schema() {
            return engine.schema();
        }

        @Override
        public Cursor open(Plan plan) {
            Cursor cursor = engine.openScoped(plan);
            opened.add(plan);
            return cursor;
        }

        @Override
        public PinnedEngine pinned(Plan plan) {
            return watched(engine.pinned(plan));
        }

        @Override
        public PinnedEngine pinned() {
            return watched(engine.pinned());
        }

        private PinnedEngine watched(PinnedEngine pinned) {
            return new PinnedEngine(new Watched(pinned.engine(), opened), pinned::close);
        }

        @Override
        public Optional<String> refusal(Plan plan) {
            return engine.refusal(plan);
        }

        @Override
        public boolean hasNativeOrder(Table table) {
            return engine.hasNativeOrder(table);
        }

        @Override
        public Predicate superset(Table table, Predicate predicate) {
            return engine.superset(table, predicate);
        }

        @Override
        public Explanation explain(Plan plan) {
            return engine.explain(plan);
        }
    }
}
