package dev.penstock.daytrader.store;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.TradeServices;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;

/**
 * The sample data: stocks {@code s:0} and on, users {@code uid:0} and on with the password {@code xxx}, and what they
 * hold, each holding with the order that has bought it. The same seed gives the same prices, balances and holdings on
 * every database. Immutable.
 *
 * @param quotes 1 to 1,000,000
 * @param users 1 to 1,000,000
 */
public record Population(int quotes, int users, long seed) {
    /** The size that the public application has: 10,000 stocks and 15,000 users. */
    public static final Population STANDARD = new Population(10_000, 15_000, 2012);

    /** The password of all sample users. */
    public static final String PASSWORD = "xxx";

    private static final int MOST = 1_000_000;
    private static final int MOST_HOLDINGS = 10;
    private static final int MOST_SHARES = 200;
    private static final int MOST_PRICE_CENTS = 20_000;
    private static final long LEAST_BALANCE_CENTS = 20_000_000;
    private static final long FIRST_BALANCE_CENTS = 100_000_000;
    private static final int BALANCES_CENTS = 10_000_000;
    private static final int BATCH = 1_000;
    private static final int COMMIT = 20_000;

    public Population {
        if (quotes < 1 || quotes > MOST || users < 1 || users > MOST) {
            throw new IllegalArgumentException(
                    "a population of %,d stocks and %,d users; each can be 1 to %,d"
                            .formatted(quotes, users, MOST));
        }
    }

    void create(
            Connection connection,
            SqlDialect dialect,
            Passwords passwords,
            Clock clock,
            PopulationProgress progress)
            throws SQLException {
        progress.at("tables", 0);
        connection.setAutoCommit(true);
        Schema.drop(connection);
        Schema.create(connection, dialect);
        connection.setAutoCommit(false);
        try {
            // The key blocks are written last, so that a population that broke off is none.
            long[] prices = quotes(connection, progress);
            int holdings = users(connection, prices, passwords, clock, progress);
            progress.at("indexes", 92);
            Schema.createIndexes(connection);
            keys(connection, holdings);
            connection.commit();
        } catch (SQLException | RuntimeException | Error e) {
            try {
                connection.rollback();
            } catch (SQLException again) {
                e.addSuppressed(again);
            }
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
        analyse(connection, dialect);
        progress.at("done", 100);
    }

    private static void analyse(Connection connection, SqlDialect dialect) throws SQLException {
        switch (dialect) {
            case H2 -> Schema.execute(connection, "ANALYZE");
            case POSTGRESQL ->
                    Schema.execute(connection, "ANALYZE " + String.join(", ", Schema.TABLES));
            case MARIADB ->
                    Schema.execute(connection, "ANALYZE TABLE " + String.join(", ", Schema.TABLES));
            case DERBY -> {
                // It has counted when it made the indexes.
            }
        }
    }

    private long[] quotes(Connection connection, PopulationProgress progress) throws SQLException {
        SplittableRandom random = new SplittableRandom(seed);
        long[] prices = new long[quotes];
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO quoteejb (symbol, companyname, price, open1, low, high, volume, change1)"
                                + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
            Batch batch = new Batch(connection, insert);
            for (int i = 0; i < quotes; i++) {
                prices[i] = 100L + random.nextInt(MOST_PRICE_CENTS);
                BigDecimal price = BigDecimal.valueOf(prices[i], 2);
                insert.setString(1, "s:" + i);
                insert.setString(2, "S" + i + " Incorporated");
                for (int column = 3; column <= 6; column++) {
                    insert.setBigDecimal(column, price);
                }
                insert.setDouble(7, 0);
                insert.setDouble(8, 0);
                if (batch.add()) {
                    progress.at("stocks", 1 + (int) (9L * i / quotes));
                }
            }
            batch.end();
        }
        return prices;
    }

    /** Returns how many holdings there are. */
    private int users(
            Connection connection,
            long[] prices,
            Passwords passwords,
            Clock clock,
            PopulationProgress progress)
            throws SQLException {
        SplittableRandom random = new SplittableRandom(seed + 1);
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        String hash = passwords.hash(PASSWORD);
        try (UserRows rows = new UserRows(connection, hash, now)) {
            for (int user = 0; user < users; user++) {
                long balance =
                        user == 0
                                ? FIRST_BALANCE_CENTS
                                : LEAST_BALANCE_CENTS + random.nextInt(BALANCES_CENTS);
                long spent = 0;
                int holdings = random.nextInt(MOST_HOLDINGS + 1);
                for (int i = 0; i < holdings; i++) {
                    int quote = random.nextInt(quotes);
                    int shares = 1 + random.nextInt(MOST_SHARES);
                    rows.holding(user, quote, shares, prices[quote]);
                    spent +=
                            shares * prices[quote]
                                    + TradeServices.ORDER_FEE.unscaledValue().longValueExact();
                }
                if (rows.user(user, balance, spent)) {
                    progress.at("users", 10 + (int) (82L * user / users));
                }
            }
            return rows.end();
        }
    }

    private void keys(Connection connection, int holdings) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement(
                        "INSERT INTO keygenejb (keyname, keyval) VALUES (?, ?)")) {
            String[] names = {"account", "holding", "order"};
            int[] used = {users, holdings, holdings};
            for (int i = 0; i < names.length; i++) {
                insert.setString(1, names[i]);
                // A block of keys begins where the row says that the one before has ended.
                insert.setInt(2, used[i] + 1);
                insert.executeUpdate();
            }
        }
    }

    /** Rows that are sent together. */
    static final class Batch {
        private final Connection connection;
        private final PreparedStatement statement;
        private int pending;
        private int sinceCommit;

        Batch(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        /** Returns whether rows were sent. */
        boolean add() throws SQLException {
            statement.addBatch();
            if (++pending < BATCH) {
                return false;
            }
            end();
            return true;
        }

        void end() throws SQLException {
            if (pending > 0) {
                statement.executeBatch();
                sinceCommit += pending;
                pending = 0;
            }
            if (sinceCommit >= COMMIT) {
                connection.commit();
                sinceCommit = 0;
            }
        }
    }
}
