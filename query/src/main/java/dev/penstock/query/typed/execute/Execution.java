package dev.penstock.query.typed.execute;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.mapping.Cells;
import dev.penstock.query.typed.pushdown.Handover;
import dev.penstock.query.typed.pushdown.Recording;
import dev.penstock.query.typed.rows.Batches;
import dev.penstock.query.typed.rows.DoubleRows;
import dev.penstock.query.typed.rows.Feed;
import dev.penstock.query.typed.rows.IntRows;
import dev.penstock.query.typed.rows.LongRows;
import dev.penstock.query.typed.rows.Rows;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;
import java.util.stream.StreamSupport;

/**
 * How a stream is run: the plan whose rows are read, and the operations of the JDK's streams on them.
 *
 * <p>What is cut by place (a {@code skip}, a {@code limit}, a {@code takeWhile}) or sorted stably depends on the order of the rows, so that they
 * come in that of the key if in no other. A limit goes to the engine where all operations before it keep the number of elements; a
 * skip stays, because the elements that it leaves out have gone through the operations before it, which may fail.
 *
 * <p>A parallel stream is read by one thread as far as the last cut: the JDK would collect what comes before it whole, and cut rows that have no order
 * wherever its threads meet.
 *
 * @param handover what the engine does of the recording
 * @param plan what the engine is asked
 * @param ordered whether the rows come in an order
 * @param operations what the JVM does with the rows
 * @param demand what the terminal operation needs
 */
public record Execution(
        Handover handover,
        Plan plan,
        boolean ordered,
        List<Operation> operations,
        RowDemand demand) {
    public static Execution of(Pipeline pipeline, RowDemand demand) {
        Handover handover = Handover.of(pipeline.recording());
        Engine engine = handover.read().binding().engine();
        List<Operation> operations = new ArrayList<>();
        handover.conditions().forEach(condition -> operations.add(Operation.of(condition)));
        handover.rest().forEach(step -> operations.add(Operation.of(step)));
        operations.addAll(pipeline.operations());
        Plan plan = limited(engine, handover.plan(), operations, demand.mostElements());
        boolean ordered = handover.read().ordered() || !plan.equals(handover.plan());
        boolean wantsOrder =
                demand.inKeyOrder() || operations.stream().anyMatch(o -> o.kind().needsOrder());
        return new Execution(
                handover,
                wantsOrder && !ordered ? Handover.inKeyOrder(engine, plan) : plan,
                wantsOrder || ordered,
                operations,
                demand);
    }

    /**
     * A plan that gives no more rows than the operations need, as far as the engine takes that.
     *
     * @param operations lose the limits that are now the plan's
     * @param most how many elements the terminal operation looks at
     */
    private static Plan limited(Engine engine, Plan all, List<Operation> operations, long most) {
        Plan plan = all;
        long skipped = 0;
        for (Iterator<Operation> each = operations.iterator(); each.hasNext(); ) {
            Operation operation = each.next();
            switch (operation.kind()) {
                case ONE_TO_ONE -> {}
                case SKIP -> skipped = sum(skipped, operation.rows());
                case LIMIT -> {
                    Plan shorter = plan.limit(sum(skipped, operation.rows()));
                    if (Handover.refusal(engine, shorter) != null) {
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
        return Handover.refusal(engine, shorter) == null ? shorter : plan;
    }

    private static long sum(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    /** The cursor of the rows, not open yet. */
    public Feed feed() {
        return new Feed(
                handover.read().binding().engine(), plan, ordered, !demand.outlivesTerminal());
    }

    /** The JDK's stream that reads the rows and does the rest. */
    public BaseStream<?, ?> stream(Feed feed) {
        int last = demand.parallel() ? lastCut() : -1;
        BaseStream<?, ?> stream = source(feed, demand.parallel() && last < 0);
        for (int i = 0; i < operations.size(); i++) {
            stream = operations.get(i).apply().apply(stream);
            if (i == last) {
                stream = Batches.parallel(stream);
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

    private BaseStream<?, ?> source(Feed feed, boolean parallel) {
        Recording<?> read = handover.read();
        Field<?, ?> field = read.projected();
        if (field == null) {
            return StreamSupport.stream(new Rows<>(feed, read.reader()), parallel);
        }
        return switch (read.shape()) {
            case OBJECT -> StreamSupport.stream(new Rows<>(feed, read.reader()), parallel);
            case INT -> StreamSupport.intStream(new IntRows(feed, Cells.ints(field)), parallel);
            case LONG -> StreamSupport.longStream(new LongRows(feed, Cells.longs(field)), parallel);
            case DOUBLE ->
                    StreamSupport.doubleStream(
                            new DoubleRows(feed, Cells.doubles(field)), parallel);
        };
    }
}
