package dev.penstock.bench.follow;

import dev.penstock.bench.server.DatabaseAddress;
import dev.penstock.databases.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that changes films at a steady rate: a transaction every ten milliseconds, each of ten films that are drawn
 * at random, which get another length and another time of their change. The first film of all is in each transaction,
 * and its time tells the transaction's number.
 */
final class FilmChanges implements AutoCloseable {
    /** The films of a transaction. */
    static final int FILMS = 10;

    /** Transactions a second. */
    static final int RATE = 100;

    private static final long PERIOD_NANOS = 1_000_000_000L / RATE;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int LONGEST_MINUTES = 240;

    /** The time that transaction 0 would give the first film; films have earlier ones at first. */
    private static final LocalDateTime START = LocalDateTime.of(2030, 1, 1, 0, 0);

    private final Connection connection;
    private final long films;
    private final List<Long> commits = new ArrayList<>();
    private final Thread thread;
    private volatile boolean isEnded;
    private volatile @Nullable Exception failure;

    /**
     * Begins to change films.
     *
     * @param films how many the database has
     * @param before how many transactions there were before
     */
    FilmChanges(DatabaseAddress database, TestDatabase.Kind kind, long films, long before)
            throws SQLException {
        this.films = films;
        connection = database.connect();
        try {
            if (kind == TestDatabase.Kind.POSTGRESQL) {
                // Else the server writes its log up to half a second after the commit.
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SET synchronous_commit = on");
                }
            }
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
        thread = Thread.ofPlatform().name("film-changes").start(() -> run(before));
    }

    /** Returns the number of the transaction that this time of the first film's change tells. */
    static long number(LocalDateTime changed) {
        return ChronoUnit.SECONDS.between(START, changed);
    }

    private void run(long before) {
        try (PreparedStatement update =
                connection.prepareStatement(
                        "UPDATE film SET length = ?, last_update = ? WHERE film_id = ?")) {
            Random random = new Random(before);
            long start = System.nanoTime();
            while (!isEnded) {
                long number = before + commits.size() + 1;
                change(update, 1, number, random);
                for (int i = 1; i < FILMS; i++) {
                    change(update, 2 + random.nextLong(films - 1), number, random);
                }
                update.executeBatch();
                commits.add(now());
                connection.commit();
                long next = start + commits.size() * PERIOD_NANOS;
                LockSupport.parkNanos(next - System.nanoTime());
            }
        } catch (SQLException | RuntimeException e) {
            failure = e;
        }
    }

    private static void change(PreparedStatement update, long film, long number, Random random)
            throws SQLException {
        update.setInt(1, 1 + random.nextInt(LONGEST_MINUTES));
        update.setTimestamp(2, Timestamp.valueOf(START.plusSeconds(number)));
        update.setLong(3, film);
        update.addBatch();
    }

    /** Returns the time in microseconds, as other processes of this machine tell it. */
    static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /**
     * Ends the changes. Returns the time just before each transaction was committed, see {@link #now}.
     *
     * @throws SQLException if a change failed, or the last one does not end
     */
    List<Long> end() throws SQLException, InterruptedException {
        isEnded = true;
        if (!thread.join(PATIENCE)) {
            throw new SQLException("a change of films has not ended after " + PATIENCE);
        }
        Exception first = failure;
        if (first != null) {
            throw new SQLException("the films could not be changed: " + first.getMessage(), first);
        }
        return commits;
    }

    /** Ends the changes, also one that hangs, whose connection is closed. */
    @Override
    public void close() throws SQLException {
        isEnded = true;
        connection.close();
    }
}
