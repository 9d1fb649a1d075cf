package dev.penstock.query.typed.execute;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.FieldReaders;
import dev.penstock.query.typed.pushdown.Pushdown;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.rows.BatchingSpliterator;
import dev.penstock.query.typed.rows.DoubleRowSpliterator;
import dev.penstock.query.typed.rows.IntRowSpliterator;
import dev.penstock.query.typed.rows.LongRowSpliterator;
import dev.penstock.query.typed.rows.RowSpliterator;
import dev.penstock.query.typed.rows.SharedCursor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;
import java.util.stream.StreamSupport;

/**
 * The execution of a stream: the plan whose rows are read, and the operations of the JDK's streams on them.
 *
 * <p>What is cut by place (a {@code skip}, a {@code limit}, a {@code takeWhile}) or sorted stably depends on the order
 * of the rows, so that they come in that of the key if in no other. A limit goes to the engine where all operations
 * before it keep the number of elements; a skip stays, because the elements that it leaves out have gone through the
 * operations before it, which may fail.
 *
 * <p>A parallel stream is read by one thread as far as the last cut: the JDK would collect what comes before it whole,
 * and cut rows that have no order wherever its threads meet.
 *
 * @param pushdown what the engine does of the recording
 * @param plan what the engine is asked
 * @param ordered whether the rows come in an order
 * @param operations what the JVM does with the rows
 * @param demand what the terminal operation needs
 */
public record StreamExecution(
        Pushdown pushdown,
        Plan plan,
        boolean ordered,
        List<JvmOperation> operations,
        RowDemand demand) {
    public static StreamExecution of(Pipeline pipeline, RowDemand demand) {
        Pushdown pushdown = Pushdown.of(pipeline.recording());
        Engine engine = pushdown.read().mapping().engine();
        List<JvmOperation> operations = new ArrayList<>();
        pushdown.conditions().forEach(condition -> operations.add(JvmOperation.of(condition)));
        pushdown.rest().forEach(operation -> operations.add(JvmOperation.of(operation)));
        operations.addAll(pipeline.operations());
        Plan plan = limited(engine, pushdown.plan(), operations, demand.mostElements());
        boolean ordered = pushdown.read().ordered() || !plan.equals(pushdown.plan());
        boolean wantsOrder = demand.inKeyOrder() || needOrder(operations);
        return new StreamExecution(
                pushdown,
                wantsOrder && !ordered ? Pushdown.inKeyOrder(engine, plan) : plan,
                wantsOrder || ordered,
                operations,
                demand);
    }

    private static boolean needOrder(List<JvmOperation> operations) {
        for (JvmOperation operation : operations) {
            if (operation.kind().needsOrder()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Limits a plan to the rows that the operations need, as far as the engine takes that.
     *
     * @param operations lose the limits that are now the plan's
     * @param most how many elements the terminal operation looks at
     */
    private static Plan limited(Engine engine, Plan all, List<JvmOperation> operations, long most) {
        Plan plan = all;
        long skipped = 0;
        for (Iterator<JvmOperation> each = operations.iterator(); each.hasNext(); ) {
            JvmOperation operation = each.next();
            switch (operation.kind()) {
                case ONE_TO_ONE -> {}
                case SKIP -> skipped = sum(skipped, operation.rows());
                case LIMIT -> {
                    Plan shorter = plan.limit(sum(skipped, operation.rows()));
                    if (Pushdown.refusal(engine, shorter) != null) {
                        return plan;
                    }
                    plan = shorter;
                    each.remove();
                }
                case CUT, SORT, OTHER -> {
                    return plan;
                }
            }
        }
        if (most == Long.MAX_VALUE) {
            return plan;
        }
        Plan shorter = plan.limit(sum(skipped, most));
        return Pushdown.refusal(engine, shorter) == null ? shorter : plan;
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** Returns the cursor of the rows, not open yet. */
    public SharedCursor cursor() {
        return new SharedCursor(
                pushdown.read().mapping().engine(), plan, ordered, !demand.outlivesTerminal());
    }

    /** Returns the JDK's stream that reads the rows and does the rest. */
    public BaseStream<?, ?> stream(SharedCursor cursor) {
        int last = demand.parallel() ? lastCut() : -1;
        BaseStream<?, ?> stream = source(cursor, demand.parallel() && last < 0);
        for (int i = 0; i < operations.size(); i++) {
            stream = operations.get(i).apply().apply(stream);
            if (i == last) {
                stream = BatchingSpliterator.parallel(stream);
            }
        }
        return stream;
    }

    private int lastCut() {
        for (int i = operations.size() - 1; i >= 0; i--) {
            if (operations.get(i).kind().cuts()) {
                return i;
            }
        }
        return -1;
    }

    private BaseStream<?, ?> source(SharedCursor cursor, boolean parallel) {
        Recording<?> read = pushdown.read();
        Field<?, ?> field = read.projected();
        if (field == null) {
            return StreamSupport.stream(new RowSpliterator<>(cursor, read.reader()), parallel);
        }
        return switch (read.shape()) {
            case OBJECT ->
                    StreamSupport.stream(new RowSpliterator<>(cursor, read.reader()), parallel);
            case INT ->
                    StreamSupport.intStream(
                            new IntRowSpliterator(cursor, FieldReaders.ints(field)), parallel);
            case LONG ->
                    StreamSupport.longStream(
                            new LongRowSpliterator(cursor, FieldReaders.longs(field)), parallel);
            case DOUBLE ->
                    StreamSupport.doubleStream(
                            new DoubleRowSpliterator(cursor, FieldReaders.doubles(field)),
                            parallel);
        };
    }
}
