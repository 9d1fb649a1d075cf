package dev.penstock.snapshot.execute;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Output;
import dev.penstock.query.Window;
import dev.penstock.snapshot.aggregate.GroupAggregation;
import dev.penstock.snapshot.aggregate.RowGrouping;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.rows.AccessPath;
import dev.penstock.snapshot.rows.Filter;
import dev.penstock.snapshot.rows.SortKey;
import dev.penstock.snapshot.work.IndexesToBuild;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Says in words how the rows of a plan's table are found: by which index or scan, and how many of them are looked at. It decides as {@link Execution} does. */
public final class ExplainPlan {
    private final Execution execution;
    private final QueryContext run = new QueryContext();
    private final IndexesToBuild indexes = new IndexesToBuild();

    public ExplainPlan(Execution execution) {
        this.execution = requireNonNull(execution);
    }

    /** How the rows are found, and what is built before; nothing is built here. */
    public List<String> notes(Plan plan) {
        List<String> notes = new ArrayList<>(indexes.noted(() -> found(plan)));
        notes.addAll(indexes.notes());
        return notes;
    }

    private List<String> found(Plan plan) {
        List<Plan> blocks = new ArrayList<>();
        for (Plan block = plan; ; block = (Plan) block.source()) {
            blocks.add(block);
            if (!(block.source() instanceof Plan)) {
                break;
            }
        }
        Collections.reverse(blocks);
        PendingRows level = execution.table(plan.table());
        int next = 0;
        Plan last = blocks.getFirst();
        while (next < blocks.size() && level.takes(blocks.get(next))) {
            last = blocks.get(next++);
            level = level.block(last, run);
            if (!(last.output() instanceof Output.Columns(List<Plan.Item> items))) {
                break;
            }
            level = level.renamed(level.names().renamed(items));
        }
        List<String> notes = new ArrayList<>();
        notes.add(found(level, last));
        if (next < blocks.size()) {
            notes.add("the rows that come of that are read by the rest of the plan");
        }
        return notes;
    }

    private String found(PendingRows level, Plan plan) {
        return switch (plan.output()) {
            case Output.Count() -> counted(level);
            case Output.Aggregates(List<Plan.Item> keys, List<Aggregate> values) -> {
                Execution.Weighed weighed = Execution.weighed(plan, level, keys, values);
                // Made for what it asks of the columns; no row is put in.
                GroupAggregation _ =
                        new GroupAggregation(plan, keys, values, level.names(), null, run.room());
                yield weighed.weights() == null ? readOrBuilt(level) : summarised(weighed);
            }
            case Output.Distinct(List<Plan.Item> items) -> {
                Execution.Weighed weighed = Execution.weighedDistinct(level, items);
                RowGrouping _ = GroupAggregation.grouping(level.names(), items, run.room());
                yield weighed.weights() == null ? readOrBuilt(level) : summarised(weighed);
            }
            case Output.Columns _ -> read(level);
        };
    }

    private String readOrBuilt(PendingRows level) {
        String instead = indexes.instead();
        return instead == null ? read(level) : instead + " is read";
    }

    private static String summarised(Execution.Weighed weighed) {
        return String.format(
                Locale.ROOT,
                "the index of columns %s is read: %,d different rows of theirs",
                String.join(
                        ", ",
                        weighed.rows().table().stored().table().columns().stream()
                                .map(dev.penstock.query.Column::name)
                                .toList()),
                weighed.rows().table().rows());
    }

    private String counted(PendingRows level) {
        Execution.Weighed weighed = Execution.weighedCount(level);
        if (weighed.weights() != null) {
            return summarised(weighed);
        }
        String instead = indexes.instead();
        if (instead != null) {
            return instead + " is read";
        }
        if (level.list() == null && level.filter() instanceof Filter.Constant) {
            return "no row is looked at: the number of rows is known";
        }
        return level.list() == null
                        && level.filter() instanceof Filter.InRange range
                        && range.column().count(range.range()) >= 0
                ? String.format(
                        Locale.ROOT,
                        "no row is looked at: %s has counts of its values",
                        name(range.column()))
                : access(level);
    }

    private static String read(PendingRows level) {
        Window window = Window.of(level.slices());
        long most = window.isLimited() ? window.offset() + window.limit() : Long.MAX_VALUE;
        if (most == 0) {
            return "no row is read";
        }
        if (level.keys().isEmpty()) {
            return level.list() == null && level.filter().equals(Filter.Constant.ALL)
                    ? rowsRead(window, level.table().rows())
                    : access(level) + (window.isLimited() ? ", or until there are enough" : "");
        }
        if (!level.isWalked(most < 0 ? Long.MAX_VALUE : most)) {
            return access(level)
                    + "; what passes is sorted"
                    + (level.keys().stream().allMatch(SortKey::isCoded)
                            ? ""
                            : " by comparing its texts, since there is no memory for their order");
        }
        int rows = level.table().rows();
        double passing = Math.max(1, AccessPath.estimate(rows, level.filter()));
        double touched = Math.min((double) rows, (double) most * (rows / passing));
        return String.format(
                Locale.ROOT,
                "the index of %s is read in its order: about %,d of %,d rows",
                name(level.keys().getFirst().column()),
                (long) Math.ceil(touched),
                rows);
    }

    /** What is left out at the beginning is not looked at. */
    private static String rowsRead(Window window, int rows) {
        long read = Math.min(window.limit(), Math.max(0, rows - window.offset()));
        return String.format(Locale.ROOT, "%,d rows are read", read);
    }

    private static String access(PendingRows level) {
        int rows = level.table().rows();
        AccessPath access = AccessPath.of(rows, level.filter());
        if (access.by() != null) {
            return String.format(
                    Locale.ROOT,
                    "the index of %s is read: %,d of %,d rows",
                    name(access.by().column()),
                    access.touched(),
                    rows);
        }
        String scan =
                level.filter() instanceof Filter.Constant
                        ? String.format(Locale.ROOT, "%,d rows are read", access.touched())
                        : String.format(Locale.ROOT, "a scan of %,d rows", rows);
        return refused(level.filter()) ? scan + ", since there is no memory for an index" : scan;
    }

    private static boolean refused(Filter filter) {
        List<IndexedColumn> columns = new ArrayList<>();
        filter.addTo(columns);
        return columns.stream().anyMatch(column -> !column.mayHaveIndex());
    }

    private static String name(IndexedColumn column) {
        return "column " + column.stored().column().name();
    }
}
