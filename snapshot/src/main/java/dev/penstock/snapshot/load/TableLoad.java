package dev.penstock.snapshot.load;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.QueryException;
import dev.penstock.query.Table;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.StoredTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The part of a table that is read for its next version. */
public sealed interface TableLoad {
    /** Returns the table, with the columns that are read. */
    Table table();

    /** Returns whether this is of keys, which tell of rows that have gone. */
    default boolean isOfKeys() {
        return false;
    }

    /** Returns what is to be read, each perhaps by another connection. */
    List<Plan> plans(Engine database, int connections);

    /** A load of every row that is to be held. */
    record Whole(HeldPart part) implements TableLoad {
        @Override
        public Table table() {
            return part.held();
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            List<Plan> plans = new ArrayList<>();
            for (Predicate range : KeyRanges.of(database, part.whole(), connections)) {
                plans.add(part.plan(range));
            }
            return plans;
        }
    }

    /**
     * Rows to be held that may be new since the last version: whose column is not less than the greatest there was, or
     * NULL.
     *
     * @param before the last version
     * @param part what is held of it
     * @param column what grows with each change
     */
    record Changed(StoredTable before, HeldPart part, String column) implements TableLoad {
        /** What infinity is read as. */
        private static final Set<Object> ENDLESS =
                Set.of(LocalDate.MAX, LocalDateTime.MAX, Instant.MAX);

        @Override
        public Table table() {
            return before.table();
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            return List.of(part.plan(condition()));
        }

        private Predicate condition() {
            List<Predicate> any = new ArrayList<>();
            any.add(
                    new Predicate.Comparison(
                            column,
                            Comparator.GREATER_OR_EQUAL,
                            requireNonNull(greatest(before, column))));
            if (table().column(column).nullable()) {
                any.add(new Predicate.IsNull(column));
            }
            return new Predicate.Or(any);
        }

        /**
         * Returns the greatest value; null where there is none, or none that a value can be greater than: infinity, no
         * number, a day that is none.
         */
        private static @Nullable Object greatest(StoredTable table, String column) {
            if (!(table.column(column) instanceof CodedColumn coded) || coded.values().isEmpty()) {
                return null;
            }
            try {
                CellReader reader = new CellReader(coded, table.table().name());
                Object value = reader.value(coded.values().greatest());
                return ENDLESS.contains(requireNonNull(value)) ? null : value;
            } catch (QueryException e) {
                return null;
            }
        }

        /** Returns whether there is anything to go on from; else the whole table is read. */
        public static boolean isPossible(StoredTable before, String column) {
            return greatest(before, column) != null;
        }
    }

    /** The keys of every row that is to be held. */
    record KeysAlone(HeldPart part) implements TableLoad {
        @Override
        public Table table() {
            return keys(part);
        }

        @Override
        public boolean isOfKeys() {
            return true;
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            List<Plan> plans = new ArrayList<>();
            for (Predicate range : KeyRanges.of(database, part.whole(), connections)) {
                plans.add(keys(part, Predicate.and(range, part.rows())));
            }
            return plans;
        }
    }

    /** The keys of rows that may have changed and are not, or no longer, to be held. */
    record ChangedOthers(Changed changed) implements TableLoad {
        @Override
        public Table table() {
            return keys(changed.part());
        }

        @Override
        public boolean isOfKeys() {
            return true;
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            HeldPart part = changed.part();
            Predicate others = new Predicate.Not(part.rows());
            return List.of(keys(part, Predicate.and(changed.condition(), others)));
        }
    }

    /** Returns a table of nothing but the key. */
    private static Table keys(HeldPart part) {
        Table of = part.whole();
        List<Column> key = of.primaryKey().stream().map(of::column).toList();
        return new Table(of.schema(), of.name(), key, of.primaryKey(), of.view());
    }

    private static Plan keys(HeldPart part, Predicate rows) {
        Table of = part.whole();
        List<Plan.Item> key =
                of.primaryKey().stream().map(name -> new Plan.Item(name, name)).toList();
        return Plan.of(of).where(rows).select(key);
    }

    /** Returns whether values of that type can grow with each change. */
    static boolean grows(ColumnType type) {
        return switch (type) {
            case INT, LONG, DECIMAL, DATE, TIMESTAMP, TIMESTAMP_UTC -> true;
            case BOOLEAN, FLOAT, DOUBLE, TEXT, TIME, BINARY, UUID, JSON, OTHER -> false;
        };
    }
}
