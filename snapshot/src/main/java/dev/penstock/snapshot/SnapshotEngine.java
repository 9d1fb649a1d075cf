package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.Schema;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.shortcut.ShortcutEngine;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.RowChanges;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.execute.Execution;
import dev.penstock.snapshot.execute.ExplainPlan;
import dev.penstock.snapshot.execute.HeldPlan;
import dev.penstock.snapshot.execute.PlanValidator;
import dev.penstock.snapshot.execute.ResultCursor;
import dev.penstock.snapshot.execute.UnsupportedPlanException;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Lifetime;
import dev.penstock.snapshot.memory.Memory;
import dev.penstock.snapshot.shortcut.ShortcutColumns;
import dev.penstock.snapshot.shortcut.ShortcutTables;
import dev.penstock.snapshot.shortcut.TableShortcuts;
import dev.penstock.snapshot.work.IndexThreads;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine that answers plans from the tables of one version. It can be asked until its {@link #lifetime} ends;
 * cursors are its users until they are closed. Thread-safe.
 */
final class SnapshotEngine implements ShortcutEngine {
    private final Map<String, ShortcutColumns> tables = new LinkedHashMap<>();

    /** The tables of which not every row and column is here, by their names. */
    private final Map<String, HeldPart> parts = new HashMap<>();

    private final Lifetime lifetime = new Lifetime(this::release);
    private final Schema schema;
    private final Memory memory;
    private final CheckedPlans checkedPlans = new CheckedPlans();
    private final PlanValidator check = new PlanValidator(table -> indexed(table).stored().table());

    /** The same for plans that may name what is not here. */
    private final PlanValidator wholeCheck = new PlanValidator(this::whole);

    /**
     * @param tables the tables, of different names
     * @param held which part of each that is
     * @param foldsToUpperCase as {@link Schema} has it
     * @param memory where indexes, and what plans make meanwhile, are kept
     * @param before the version before, which the caller uses, and whose indexes go on where a table is the same; null
     *     for none
     */
    @SuppressWarnings("ReferenceEquality") // what was loaded again is another table
    SnapshotEngine(
            List<StoredTable> tables,
            List<HeldPart> held,
            boolean foldsToUpperCase,
            Memory memory,
            @Nullable SnapshotEngine before) {
        this.memory = requireNonNull(memory);
        Map<String, Table> wholes = new HashMap<>();
        for (HeldPart part : held) {
            wholes.put(part.whole().name(), part.whole());
            if (!part.isWhole()) {
                parts.put(part.whole().name(), part);
            }
        }
        for (StoredTable table : tables) {
            String name = table.table().name();
            ShortcutColumns known = before == null ? null : before.tables.get(name);
            if (known != null && known.table().stored() == table) {
                known.table().lifetime().acquireHeld();
                this.tables.put(name, known);
                continue;
            }
            IndexedTable last = known == null ? null : known.table();
            this.tables.put(
                    name,
                    new ShortcutColumns(
                            new IndexedTable(table, memory.forIndexes(), last),
                            wholes.getOrDefault(name, table.table())));
        }
        schema = new Schema(tables.stream().map(StoredTable::table).toList(), foldsToUpperCase);
    }

    private void release() {
        tables.values().forEach(columns -> columns.table().lifetime().release());
    }

    /** Returns its lifetime, at whose end what no other version has is given back. */
    Lifetime lifetime() {
        return lifetime;
    }

    private void acquire() {
        if (!lifetime.acquire()) {
            throw new RetiredVersionException();
        }
    }

    /**
     * Does something with the tables, which are there until it is done.
     *
     * @throws RetiredVersionException if this has ended
     */
    private <T> T using(Supplier<T> work) {
        acquire();
        try {
            return work.get();
        } finally {
            lifetime.release();
        }
    }

    /**
     * Builds the indexes that another version has by now, those of tables of which little has changed from its own.
     *
     * @param changes the difference between both, by tables; of the others it is not known
     */
    @SuppressWarnings("ReferenceEquality") // what was loaded again is another table
    void buildIndexesOf(SnapshotEngine before, Map<String, RowChanges> changes) {
        List<Runnable> work = new ArrayList<>();
        tables.forEach((name, columns) -> {
            ShortcutColumns known = before.tables.get(name);
            if (known != null && known != columns) {
                IndexedTable last = known.table();
                RowChanges difference = changes.get(name);
                work.add(() -> columns.table().buildIndexesOf(last, difference));
            }
        });
        IndexThreads.all(work);
    }

    /**
     * Builds the declared indexes of a table, in memory that has to be had.
     *
     * @param declared the names of each one's columns
     * @param before the version before; null for none
     * @param changes the difference between both; null where it is not known
     * @throws QueryException of kind {@code MEMORY_LIMIT} if there is too little
     */
    void buildDeclared(
            Table table,
            Set<List<String>> declared,
            @Nullable SnapshotEngine before,
            @Nullable RowChanges changes,
            Memory from) {
        ShortcutColumns known = before == null ? null : before.tables.get(table.name());
        IndexedTable own = indexed(table);
        IndexedTable last = known == null ? null : known.table();
        if (own != last) {
            own.buildDeclared(declared, last, changes, from);
        }
    }

    IndexedTable indexed(Table table) {
        ShortcutColumns known = tables.get(table.name());
        if (known == null) {
            throw new QueryException(
                    QueryException.Kind.UNKNOWN_NAME,
                    "table \"%s\" is not in memory; those are: %s"
                            .formatted(table.name(), String.join(", ", tables.keySet())));
        }
        return known.table();
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public Schema schema() {
        return schema;
    }

    /** Returns the columns of a table for shortcuts; null if there is no such table. */
    @Nullable ShortcutColumns shortcutColumns(String table) {
        return tables.get(table);
    }

    @Override
    public @Nullable Shortcuts shortcuts(Entity<?> entity) {
        ShortcutColumns columns =
                schema.table(entity.table())
                        .map(table -> shortcutColumns(table.name()))
                        .orElse(null);
        return columns == null || !hasAllRows(columns.table().stored().table().name())
                ? null
                : new TableShortcuts(new ShortcutTables(new ShortcutColumns[] {columns}), 0);
    }

    /** Returns whether every row of a table is here, as shortcuts take for granted. */
    boolean hasAllRows(String table) {
        HeldPart part = parts.get(table);
        return part == null || part.hasAllRows();
    }

    /** Returns whether every row and column of a table is here. */
    boolean isWhole(String table) {
        return !parts.containsKey(table);
    }

    /**
     * Returns the plan as it is answered here.
     *
     * @throws UnsupportedPlanException if it is not
     * @throws QueryException if no engine could answer it
     */
    private Plan checked(Plan asked) {
        Plan plan =
                Subquery.replaced(
                        asked,
                        in -> new Predicate.InSubquery(in.column(), checked(in.subquery().plan())));
        HeldPart part = parts.get(plan.table().name());
        if (part == null) {
            check.check(plan);
            return plan;
        }
        wholeCheck.check(plan);
        Plan held = HeldPlan.of(plan, part);
        check.check(held);
        return held;
    }

    private Table whole(Table table) {
        HeldPart part = parts.get(table.name());
        return part == null ? indexed(table).stored().table() : part.whole();
    }

    @Override
    public Cursor open(Plan plan) {
        return open(plan, new QueryContext());
    }

    @Override
    public Cursor openParallel(Plan plan) {
        return open(plan, new QueryContext(true));
    }

    private Cursor open(Plan plan, QueryContext context) {
        Plan known = checkedPlans.take(plan);
        Plan held = known == null ? checked(plan) : known;
        acquire();
        return new ResultCursor(
                held::columns, each -> execution(each).answer(held), context, lifetime::release);
    }

    private Execution execution(QueryContext context) {
        return new Execution(this::indexed, memory, context);
    }

    /**
     * Returns why a plan is not answered here.
     *
     * @throws QueryException if it needs what was not loaded, so that no part of it would be answered either; and as
     *     {@link Engine#refusal} does
     */
    @Override
    public Optional<String> refusal(Plan plan) {
        return reason(unsupportedToOpen(plan));
    }

    /** Returns a refusal's reason, or throws it, as {@link #refusal} does. */
    static Optional<String> reason(Optional<UnsupportedPlanException> refusal) {
        if (refusal.isPresent() && refusal.get().isNotHeld()) {
            throw refusal.get();
        }
        return refusal.map(UnsupportedPlanException::getMessage);
    }

    /** Returns why a plan is not answered here; empty if it is. */
    Optional<UnsupportedPlanException> unsupported(Plan plan) {
        return refused(() -> checked(plan));
    }

    /** Returns the same for whoever opens the plan next, which is not checked again then. */
    Optional<UnsupportedPlanException> unsupportedToOpen(Plan plan) {
        return refused(() -> checkedPlans.keep(plan, checked(plan)));
    }

    private static Optional<UnsupportedPlanException> refused(Runnable check) {
        try {
            check.run();
            return Optional.empty();
        } catch (UnsupportedPlanException refusal) {
            return Optional.of(refusal);
        }
    }

    @Override
    public Predicate superset(Table table, Predicate predicate) {
        return switch (predicate) {
            case Predicate.And(List<Predicate> all) when isRefused(table, predicate) ->
                    new Predicate.And(supersets(table, all));
            case Predicate.Or(List<Predicate> any) when isRefused(table, predicate) -> {
                List<Predicate> supersets = supersets(table, any);
                yield supersets.contains(Predicate.ALL)
                        ? Predicate.ALL
                        : new Predicate.Or(supersets);
            }
            case Predicate _ -> isRefused(table, predicate) ? Predicate.ALL : predicate;
        };
    }

    private List<Predicate> supersets(Table table, List<Predicate> parts) {
        List<Predicate> supersets = new ArrayList<>();
        parts.forEach(part -> supersets.add(superset(table, part)));
        return supersets;
    }

    private boolean isRefused(Table table, Predicate predicate) {
        // Whether the tables of a subquery have what it needs is found out for the plan as a whole.
        PlanValidator validator = Subquery.isIn(predicate) ? wholeCheck : check;
        return refused(() -> validator.check(table, predicate)).isPresent();
    }

    /** Returns exactly, for counting takes little here. */
    @Override
    public OptionalLong estimate(Table table, Predicate filter) {
        try (Cursor count = open(Plan.of(table).where(filter).count())) {
            return count.next() ? OptionalLong.of(count.getLong(0)) : OptionalLong.empty();
        }
    }

    @Override
    public Explanation explain(Plan plan) {
        List<String> notes =
                unsupported(plan)
                        .map(why -> List.of("refused: " + why.getMessage()))
                        .orElseGet(() -> using(() -> notes(checked(plan))));
        return Explanation.of(name(), plan, "", notes);
    }

    private List<String> notes(Plan plan) {
        return new ExplainPlan(execution(new QueryContext())).notes(plan);
    }
}
