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
import dev.penstock.query.Values;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.CodedColumn;
import dev.penstock.snapshot.column.HeldPart;
import dev.penstock.snapshot.column.StoredTable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
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

    /** Returns whether what is read is the table of the next version, and not only copied to it. */
    default boolean isKept() {
        return false;
    }

    /** Returns what is to be read, each perhaps by another connection; nothing where the table is as it was. */
    List<Plan> plans(Engine database, int connections);

    /** A load of every row that is to be held. */
    record Whole(HeldPart part) implements TableLoad {
        @Override
        public boolean isKept() {
            return true;
        }

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

    /**
     * The rows that have one of certain keys.
     *
     * @param before the last version
     * @param part what is held of it
     * @param keys each with its values in the order of the primary key, as {@link Values#fit} gives them
     */
    record Keyed(StoredTable before, HeldPart part, List<List<Object>> keys) implements TableLoad {
        /** The keys that one statement asks for, of one column or of several: powers of two. */
        private static final int MOST_KEYS = 1_024;

        private static final int MOST_COMPOSITE_KEYS = 128;

        /** The whole table is read where more than so many keys are asked for, and more than a part of its rows. */
        private static final int WORTH = 4_096;

        private static final int PART = 4;

        public Keyed {
            keys = List.copyOf(keys);
        }

        /**
         * Returns a load of the rows of these keys; of the whole table where that is quicker, or where the keys are not
         * of the types of their columns.
         */
        public static TableLoad of(
                StoredTable before, HeldPart part, Collection<List<Object>> keys) {
            List<List<Object>> fitted = new ArrayList<>(keys.size());
            try {
                for (List<Object> key : keys) {
                    fitted.add(fit(before.table(), key));
                }
            } catch (QueryException e) {
                return new Whole(part);
            }
            return keys.size() > WORTH && keys.size() > before.rows() / PART
                    ? new Whole(part)
                    : new Keyed(before, part, fitted);
        }

        private static List<Object> fit(Table table, List<Object> key) {
            List<String> names = table.primaryKey();
            if (names.isEmpty() || names.size() != key.size()) {
                throw new QueryException(
                        QueryException.Kind.INVALID_PLAN,
                        "a key of %d columns for table %s, whose key has %d"
                                .formatted(key.size(), table.name(), names.size()));
            }
            List<Object> fitted = new ArrayList<>(names.size());
            for (int i = 0; i < names.size(); i++) {
                fitted.add(Values.fit(table.column(names.get(i)), key.get(i)));
            }
            return fitted;
        }

        @Override
        public Table table() {
            return before.table();
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            int most = table().primaryKey().size() == 1 ? MOST_KEYS : MOST_COMPOSITE_KEYS;
            List<Plan> plans = new ArrayList<>();
            for (int i = 0; i < keys.size(); i += most) {
                List<List<Object>> some = keys.subList(i, Math.min(keys.size(), i + most));
                plans.add(part.plan(condition(padded(some))));
            }
            return plans;
        }

        /** Repeats the last one up to a power of two, so that there are few different statements. */
        private static List<List<Object>> padded(List<List<Object>> keys) {
            int size = Math.max(1, Integer.highestOneBit(2 * keys.size() - 1));
            List<List<Object>> all = new ArrayList<>(keys);
            all.addAll(Collections.nCopies(size - keys.size(), keys.getLast()));
            return all;
        }

        private Predicate condition(List<List<Object>> some) {
            List<String> names = table().primaryKey();
            if (names.size() == 1) {
                return new Predicate.In(
                        names.getFirst(), some.stream().map(List::getFirst).toList());
            }
            List<Predicate> any = new ArrayList<>();
            for (List<Object> key : some) {
                List<Predicate> all = new ArrayList<>();
                for (int i = 0; i < names.size(); i++) {
                    all.add(new Predicate.Comparison(names.get(i), Comparator.EQUAL, key.get(i)));
                }
                any.add(new Predicate.And(all));
            }
            return new Predicate.Or(any);
        }
    }

    /** Nothing: the table is as it was in the last version. */
    record Unchanged(StoredTable before) implements TableLoad {
        @Override
        public boolean isKept() {
            return true;
        }

        @Override
        public Table table() {
            return before.table();
        }

        @Override
        public List<Plan> plans(Engine database, int connections) {
            return List.of();
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
