package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Schema;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.shortcut.ShortcutEngine;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.execute.UnsupportedPlanException;
import dev.penstock.snapshot.shortcut.ShortcutTables;
import dev.penstock.snapshot.shortcut.TableShortcuts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The engine that gives each plan to memory if its table is there, and else to the database, which also answers what
 * only it knows the meaning of: the order and the values of its own types. A plan runs on one version as a whole.
 * Thread-safe.
 */
final class RoutedEngine implements ShortcutEngine {
    private final Engine database;
    private final Supplier<LoadedVersion> version;
    private final ShortcutTables shortcuts;
    private final boolean isAsked;

    /**
     * @param database for the tables that are not in memory
     * @param version looked at once for each plan
     * @param shortcuts the version's tables for shortcuts
     * @param isAsked whether the database is asked what memory can't answer; else that is refused
     */
    RoutedEngine(
            Engine database,
            Supplier<LoadedVersion> version,
            ShortcutTables shortcuts,
            boolean isAsked) {
        this.database = requireNonNull(database);
        this.version = requireNonNull(version);
        this.shortcuts = requireNonNull(shortcuts);
        this.isAsked = isAsked;
    }

    private Engine of(Table table) {
        LoadedVersion loaded = version.get();
        return !isAsked || loaded.has(table.name()) ? loaded.engine() : database;
    }

    /** Returns the engine that has all tables of a plan, those of its subqueries too. */
    private Engine of(Plan plan) {
        LoadedVersion loaded = version.get();
        boolean isHere =
                !isAsked
                        || (Subquery.isIn(plan)
                                ? Subquery.tables(plan).stream()
                                        .allMatch(table -> loaded.has(table.name()))
                                : loaded.has(plan.table().name()));
        return isHere ? loaded.engine() : database;
    }

    @Override
    public String name() {
        return isAsked ? "memory, else " + database.name() : "memory";
    }

    @Override
    public Schema schema() {
        return database.schema();
    }

    @Override
    public @Nullable Shortcuts shortcuts(Entity<?> entity) {
        LoadedVersion loaded = version.get();
        int place =
                schema().table(entity.table())
                        .map(Table::name)
                        .filter(loaded.engine()::hasAllRows)
                        .map(loaded::place)
                        .orElse(-1);
        return place < 0 ? null : new TableShortcuts(shortcuts, place);
    }

    @Override
    public Cursor open(Plan plan) {
        return open(plan, Engine::open);
    }

    @Override
    public Cursor openScoped(Plan plan) {
        return open(plan, Engine::openScoped);
    }

    @Override
    public Cursor openParallel(Plan plan) {
        return open(plan, Engine::openParallel);
    }

    private Cursor open(Plan plan, BiFunction<Engine, Plan, Cursor> how) {
        try {
            return asked(() -> how.apply(of(plan), plan));
        } catch (UnsupportedPlanException refusal) {
            if (isAsked && refusal.isForDatabase()) {
                return how.apply(database, plan);
            }
            throw refusal;
        }
    }

    /** Asks once more where the version that was the newest has ended meanwhile. */
    private <T> T asked(Supplier<T> answer) {
        while (true) {
            LoadedVersion now = version.get();
            try {
                return answer.get();
            } catch (RetiredVersionException _) {
                requireAnother(now);
            }
        }
    }

    /** The newest version is never one that has ended, and a pinned one has only when it was closed. */
    private void requireAnother(LoadedVersion ended) {
        if (version.get().equals(ended)) {
            throw new IllegalStateException("the pinned version is closed");
        }
    }

    @Override
    public PinnedEngine pinned() {
        while (true) {
            LoadedVersion now = version.get();
            if (now.lifetime().acquire()) {
                return of(database, now, isAsked);
            }
            requireAnother(now);
        }
    }

    @Override
    public PinnedEngine pinned(Plan plan) {
        PinnedEngine pinned = pinned();
        try {
            RoutedEngine now = (RoutedEngine) pinned.engine();
            if (!now.answering(plan).equals(now.database)) {
                return pinned;
            }
        } catch (RuntimeException | Error e) {
            pinned.close();
            throw e;
        }
        // It may be read for long, and keeps no version meanwhile.
        pinned.close();
        return database.pinned();
    }

    /**
     * Returns an engine that stays on one version.
     *
     * @param version which the caller {@linkplain LoadedVersion#lifetime() uses} until it closes what is returned
     */
    static PinnedEngine of(Engine database, LoadedVersion version, boolean isAsked) {
        try {
            PinnedEngine others = database.pinned();
            RoutedEngine engine =
                    new RoutedEngine(
                            others.engine(),
                            () -> version,
                            new ShortcutTables(version.shortcuts()),
                            isAsked);
            return new PinnedEngine(
                    engine,
                    () -> {
                        version.lifetime().release();
                        others.close();
                    });
        } catch (RuntimeException | Error e) {
            version.lifetime().release();
            throw e;
        }
    }

    @Override
    public Optional<String> refusal(Plan plan) {
        Engine engine = of(plan);
        if (!(engine instanceof SnapshotEngine memory)) {
            return engine.refusal(plan);
        }
        Optional<UnsupportedPlanException> why = memory.unsupportedToOpen(plan);
        return isAsked && why.isPresent() && why.get().isForDatabase()
                ? database.refusal(plan)
                : SnapshotEngine.reason(why);
    }

    /** Returns which of the two answers a plan, or refuses it. */
    private Engine answering(Plan plan) {
        Engine engine = of(plan);
        return unsupported(engine, plan) == null ? engine : database;
    }

    /** Returns why memory leaves a plan to the database, though its table is there; null if it does not. */
    private @Nullable UnsupportedPlanException unsupported(Engine engine, Plan plan) {
        return isAsked && engine instanceof SnapshotEngine memory
                ? memory.unsupported(plan)
                        .filter(UnsupportedPlanException::isForDatabase)
                        .orElse(null)
                : null;
    }

    @Override
    public boolean hasNativeOrder(Table table) {
        return of(table).hasNativeOrder(table);
    }

    /** Returns the database's, since a list may begin in memory and go on there. */
    @Override
    public int orderedBytes() {
        return database.orderedBytes();
    }

    @Override
    public Predicate superset(Table table, Predicate predicate) {
        Plan plan = Plan.of(table).where(predicate);
        Engine engine = of(plan);
        boolean isShared =
                isAsked
                        && engine instanceof SnapshotEngine memory
                        && !Subquery.tables(plan).stream()
                                .allMatch(each -> memory.isWhole(each.name()));
        // Which of the two answers depends on the plan as a whole.
        return (isShared ? database : engine).superset(table, predicate);
    }

    @Override
    public OptionalLong estimate(Table table, Predicate filter) {
        Plan plan = Plan.of(table).where(filter).count();
        return asked(() -> answering(plan).estimate(table, filter));
    }

    @Override
    public Explanation explain(Plan plan) {
        return asked(() -> explained(plan));
    }

    private Explanation explained(Plan plan) {
        Engine engine = of(plan);
        UnsupportedPlanException why = unsupported(engine, plan);
        if (why == null) {
            return engine.explain(plan);
        }
        Explanation asked = database.explain(plan);
        List<String> notes = new ArrayList<>(List.of("not from memory: " + why.why()));
        notes.addAll(asked.notes());
        return new Explanation(asked.engine(), asked.plan(), asked.sql(), notes);
    }
}
