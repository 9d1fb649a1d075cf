package dev.penstock.snapshot;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Explanation;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.shortcut.ShortcutEngine;
import dev.penstock.query.typed.shortcut.Shortcuts;
import dev.penstock.snapshot.execute.UnsupportedPlanException;
import dev.penstock.snapshot.shortcut.ShortcutTables;
import dev.penstock.snapshot.shortcut.TableShortcuts;
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

    /**
     * @param database for the tables that are not in memory
     * @param version looked at once for each plan
     * @param shortcuts the version's tables for shortcuts
     */
    RoutedEngine(Engine database, Supplier<LoadedVersion> version, ShortcutTables shortcuts) {
        this.database = requireNonNull(database);
        this.version = requireNonNull(version);
        this.shortcuts = requireNonNull(shortcuts);
    }

    private Engine of(Table table) {
        LoadedVersion loaded = version.get();
        return loaded.has(table.name()) ? loaded.engine() : database;
    }

    @Override
    public String name() {
        return "memory, else " + database.name();
    }

    @Override
    public Schema schema() {
        return database.schema();
    }

    @Override
    public @Nullable Shortcuts shortcuts(Entity<?> entity) {
        int place =
                schema().table(entity.table()).map(t -> version.get().place(t.name())).orElse(-1);
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
            return how.apply(of(plan.table()), plan);
        } catch (UnsupportedPlanException refusal) {
            if (refusal.isForDatabase()) {
                return how.apply(database, plan);
            }
            throw refusal;
        }
    }

    @Override
    public Engine pinned() {
        return of(database, version.get());
    }

    /** Returns an engine that stays on one version. */
    static RoutedEngine of(Engine database, LoadedVersion version) {
        return new RoutedEngine(
                database.pinned(), () -> version, new ShortcutTables(version.shortcuts()));
    }

    @Override
    public Optional<String> refusal(Plan plan) {
        return answering(plan).refusal(plan);
    }

    /** Returns which of the two answers a plan, or refuses it. */
    private Engine answering(Plan plan) {
        Engine engine = of(plan.table());
        return engine instanceof SnapshotEngine memory && memory.isForDatabase(plan)
                ? database
                : engine;
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
        return of(table).superset(table, predicate);
    }

    @Override
    public OptionalLong estimate(Table table, Predicate filter) {
        return answering(Plan.of(table).where(filter)).estimate(table, filter);
    }

    @Override
    public Explanation explain(Plan plan) {
        return answering(plan).explain(plan);
    }
}
