package dev.penstock.bench.sums;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import java.util.List;

/**
 * A row of the table {@code reading}: what a meter has counted and measured.
 *
 * @param readingId counted up from 1
 * @param station one of {@link #STATIONS}, in no order
 * @param hour of the day, the same for 3,600 readings
 * @param visits fewer than ten thousand
 * @param level a multiple of an eighth, so that the sum does not depend on the order of the rows
 */
record Reading(int readingId, int station, int hour, int visits, double level) {
    static final int STATIONS = 1000;
    static final int HOURS = 24;

    static final IntField<Reading> READING_ID =
            IntField.of(Reading.class, "reading_id", Reading::readingId);
    static final IntField<Reading> STATION =
            IntField.of(Reading.class, "station", Reading::station);
    static final IntField<Reading> HOUR = IntField.of(Reading.class, "hour_of_day", Reading::hour);
    static final IntField<Reading> VISITS = IntField.of(Reading.class, "visits", Reading::visits);
    static final DoubleField<Reading> LEVEL =
            DoubleField.of(Reading.class, "level_now", Reading::level);

    static final Entity<Reading> TABLE =
            Entity.of(
                    Reading.class,
                    "reading",
                    Reading::read,
                    List.of(READING_ID, STATION, HOUR, VISITS, LEVEL),
                    List.of(READING_ID));

    /** The statement that makes the table, in any of the databases. */
    static final String CREATE =
            """
            CREATE TABLE reading (reading_id INTEGER PRIMARY KEY, station SMALLINT NOT NULL,
                hour_of_day SMALLINT NOT NULL, visits INTEGER NOT NULL, level_now DOUBLE PRECISION NOT NULL)
            """;

    private static Reading read(Cursor row) {
        return new Reading(
                row.getInt(0), row.getInt(1), row.getInt(2), row.getInt(3), row.getDouble(4));
    }

    /**
     * Returns the statement that fills the table, with the same rows in every database.
     *
     * @param series the database's table of the numbers of the rows, in one column {@code i} of 64 bits
     */
    static String fill(String series) {
        return """
        INSERT INTO reading
        SELECT i, i * 7919 %% %d, (i - i %% 3600) / 3600 %% %d, i * 48271 %% 9973, (i * 16807 %% 65521) / 8.0
        FROM %s
        """
                .formatted(STATIONS, HOURS, series);
    }
}
