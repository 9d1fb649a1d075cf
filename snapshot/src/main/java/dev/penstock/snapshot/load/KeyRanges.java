package dev.penstock.snapshot.load;

import dev.penstock.query.Aggregate;
import dev.penstock.query.Aggregate.Function;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a table by the first column of its key, where that is a whole number, so that several connections can
 * read it.
 */
public final class KeyRanges {
    /** So many parts a connection, for the rows are seldom spread evenly. */
    private static final int PARTS = 4;

    /** Fewer different keys than that are one part. */
    private static final long WORTH = 20_000;

    private KeyRanges() {}

    /**
     * Conditions of which each row passes exactly one, in the order of the key.
     *
     * @param database asked for the least and the greatest key
     * @param connections how many will read
     */
    static List<Predicate> of(Engine database, Table table, int connections) {
        if (connections == 1 || table.primaryKey().isEmpty()) {
            return List.of(Predicate.ALL);
        }
        Column key = table.column(table.primaryKey().getFirst());
        if (key.type() != ColumnType.INT && key.type() != ColumnType.LONG) {
            return List.of(Predicate.ALL);
        }
        Plan extremes =
                Plan.of(table)
                        .aggregate(
                                List.of(),
                                List.of(
                                        Aggregate.of(Function.MIN, key.name(), "least"),
                                        Aggregate.of(Function.MAX, key.name(), "greatest")));
        try (Cursor cursor = database.open(extremes)) {
            if (!cursor.next() || cursor.isNull(0)) {
                return List.of(Predicate.ALL);
            }
            return cut(key, cursor.getLong(0), cursor.getLong(1), connections * PARTS);
        }
    }

    public static List<Predicate> cut(Column key, long least, long greatest, int parts) {
        BigInteger span = BigInteger.valueOf(greatest).subtract(BigInteger.valueOf(least));
        if (span.compareTo(BigInteger.valueOf(WORTH)) < 0) {
            return List.of(Predicate.ALL);
        }
        List<Predicate> ranges = new ArrayList<>();
        Predicate from = Predicate.ALL;
        for (int part = 1; part <= parts; part++) {
            if (part == parts) {
                ranges.add(from);
                break;
            }
            BigInteger distance =
                    span.multiply(BigInteger.valueOf(part)).divide(BigInteger.valueOf(parts));
            Object bound = value(key, BigInteger.valueOf(least).add(distance).longValueExact());
            ranges.add(
                    Predicate.and(
                            from, new Predicate.Comparison(key.name(), Comparator.LESS, bound)));
            from = new Predicate.Comparison(key.name(), Comparator.GREATER_OR_EQUAL, bound);
        }
        return ranges;
    }

    private static Object value(Column key, long number) {
        return key.type() == ColumnType.INT ? (Object) Math.toIntExact(number) : (Object) number;
    }
}
