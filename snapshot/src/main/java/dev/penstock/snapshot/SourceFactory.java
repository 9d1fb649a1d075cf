package dev.penstock.snapshot;

import dev.penstock.query.Column;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Subquery;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.TableSelection;
import dev.penstock.query.typed.mapping.EntityMapping;
import dev.penstock.snapshot.VersionLoader.Source;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.execute.ColumnUse;
import dev.penstock.snapshot.load.TableLoad;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A factory of what is loaded, as {@link Snapshot.Builder} is told to.
 *
 * @param database where the tables are
 */
record SourceFactory(Database database) {
    /** Returns rows and columns of an entity's table, all of which are read again at a refresh. */
    Source whole(TableSelection<?> selection) {
        HeldPart part = part(selection, List.of());
        requireAnswered(part.whole(), part.rows());
        return new Source(part, null, false, Set.of());
    }

    /** Returns columns of a table likewise; all of them where none are named. */
    Source whole(Table table, List<String> columns) {
        Table known = database.table(table.name());
        Set<String> names = new HashSet<>();
        columns.forEach(name -> names.add(column(known, name)));
        return new Source(HeldPart.of(known, names, Predicate.ALL), null, false, Set.of());
    }

    /** Returns rows and columns of an entity's table, of which what has changed is read at a refresh. */
    <R> Source incremental(TableSelection<R> selection, Field<R, ?> growing, boolean deletes) {
        Table table = database.table(selection.entity().table());
        String column = growing(table, growing.column());
        HeldPart part = part(selection, List.of(column));
        requireAnswered(table, part.rows());
        if (!deletes && !part.hasAllRows()) {
            // The keys of the other rows that have changed are read.
            requireAnswered(table, new Predicate.Not(part.rows()));
        }
        return new Source(part, column, deletes, Set.of());
    }

    /** Returns a table likewise. */
    Source incremental(Table table, String growing, boolean deletes) {
        Table known = database.table(table.name());
        String column = growing(known, growing);
        return new Source(HeldPart.of(known, Set.of(), Predicate.ALL), column, deletes, Set.of());
    }

    /** Returns the same table with an index of these columns. */
    Source indexed(Source source, List<String> columns) {
        HeldPart part = source.part();
        Table table = part.whole();
        Set<String> names = new HashSet<>();
        for (String each : columns) {
            String name = column(table, each);
            if (!part.holds(name)) {
                throw new IllegalArgumentException(
                        "an index of table %s names column %s, which is not loaded: load it too"
                                .formatted(table.name(), name));
            }
            names.add(name);
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException(
                    "an index of table %s has no columns; name one at least"
                            .formatted(table.name()));
        }
        return source.with(
                table.columns().stream().map(Column::name).filter(names::contains).toList());
    }

    /**
     * Returns what an entity's table is to have in memory.
     *
     * @param more columns that are needed even if they are not chosen
     */
    private <R> HeldPart part(TableSelection<R> selection, List<String> more) {
        Entity<R> entity = selection.entity();
        EntityMapping<R> mapping = new EntityMapping<>(database, entity, false);
        Table table = database.table(entity.table());
        requireOwnColumns(selection);
        Predicate rows = selection.condition().map(mapping::predicate).orElse(Predicate.ALL);
        Set<String> names = new HashSet<>();
        if (!selection.fields().equals(entity.fields())) {
            selection.fields().forEach(field -> names.add(column(table, field.column())));
            names.addAll(more);
            // Without them, no filter could say that it wants no other rows.
            names.addAll(ColumnUse.of(rows));
        }
        return HeldPart.of(table, names, rows);
    }

    /** A change of another table would be seen at no refresh. */
    private static void requireOwnColumns(TableSelection<?> selection) {
        selection
                .condition()
                .ifPresent(condition ->
                        Subquery.each(
                                condition.predicate(),
                                in -> {
                                    throw new IllegalArgumentException(
                                            ("rows of table %s are chosen by the values of a stream for %s; choose"
                                                            + " them by its own columns, or by a list of values")
                                                    .formatted(
                                                            selection.entity().table(),
                                                            in.column()));
                                }));
    }

    private void requireAnswered(Table table, Predicate rows) {
        Optional<String> refusal = database.refusal(Plan.of(table).where(rows));
        if (refusal.isPresent()) {
            throw new IllegalArgumentException(
                    ("rows of table %s can't be chosen by this condition: %s. Choose them by another one, or"
                                    + " load all")
                            .formatted(table.name(), refusal.get()));
        }
    }

    private String column(Table table, String name) {
        return database.schema()
                .column(table, name)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "table %s has no column %s".formatted(table.name(), name)))
                .name();
    }

    private String growing(Table table, String growing) {
        String column = column(table, growing);
        if (table.primaryKey().isEmpty()) {
            throw new IllegalArgumentException(
                    "table %s has no key by which changed rows replace others; load it as a whole"
                            .formatted(table.name()));
        }
        if (!TableLoad.grows(table.column(column).type())) {
            throw new IllegalArgumentException(
                    ("column %s of table %s is %s; what grows with each change is a whole number,"
                                    + " a decimal, a date or a timestamp")
                            .formatted(column, table.name(), table.column(column).type()));
        }
        return column;
    }
}
