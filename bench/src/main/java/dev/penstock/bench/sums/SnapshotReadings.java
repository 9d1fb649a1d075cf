package dev.penstock.bench.sums;

import static dev.penstock.query.typed.aggregate.Aggregates.both;
import static dev.penstock.query.typed.aggregate.Aggregates.count;
import static dev.penstock.query.typed.aggregate.Aggregates.groupingBy;
import static dev.penstock.query.typed.aggregate.Aggregates.sum;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.query.typed.TypedTable;
import dev.penstock.query.typed.aggregate.AggregateCollector;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.snapshot.Snapshot;
import java.util.Map;
import java.util.TreeMap;

/** Readings in a snapshot, asked by parallel typed streams. */
final class SnapshotReadings implements ReadingStore {
    private static final int CONNECTIONS = 4;

    private final Snapshot snapshot;
    private final TypedTable<Reading> readings;

    /** Loads the readings of a database. */
    SnapshotReadings(DatabaseAddress source) {
        snapshot = Snapshot.load(DatabaseAddress.engine(source.pool(CONNECTIONS)), Reading.TABLE);
        readings = snapshot.table(Reading.TABLE);
    }

    @Override
    public Object answer(SumsQuestion question) {
        return switch (question) {
            case SUM_OF_INTS -> readings.stream().parallel().collect(sum(Reading.READING_ID));
            case SUM_OF_DOUBLES -> readings.stream().parallel().collect(sum(Reading.LEVEL));
            case SUM_OF_SOME ->
                    readings.stream()
                            .parallel()
                            .filter(Reading.STATION.lessThan(SumsQuestion.SOME_STATIONS))
                            .collect(sum(Reading.VISITS));
            case GROUPS_IN_ORDER -> groups(Reading.HOUR, sum(Reading.LEVEL));
            case GROUPS_OF_INTS -> groups(Reading.STATION, sum(Reading.VISITS));
            case GROUPS_OF_DOUBLES -> groups(Reading.STATION, sum(Reading.LEVEL));
        };
    }

    private Map<Integer, Group> groups(
            IntField<Reading> key, AggregateCollector<Reading, ? extends Number> sum) {
        return new TreeMap<>(
                readings.stream()
                        .parallel()
                        .collect(
                                groupingBy(
                                        key,
                                        both(
                                                count(),
                                                sum,
                                                (readings, all) ->
                                                        new Group(readings, all.doubleValue())))));
    }

    @Override
    public long bytes() {
        return snapshot.memoryUsed();
    }
}
