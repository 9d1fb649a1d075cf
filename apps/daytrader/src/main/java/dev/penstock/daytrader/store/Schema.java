package dev.penstock.daytrader.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;

/** The six tables of the trading application. */
final class Schema {
    static final List<String> TABLES =
            List.of(
                    "accountejb",
                    "accountprofileejb",
                    "quoteejb",
                    "holdingejb",
                    "orderejb",
                    "keygenejb");

    private static final List<String> DEFINITIONS =
            List.of(
                    """
                    CREATE TABLE accountejb (
                        accountid INT NOT NULL PRIMARY KEY,
                        profile_userid VARCHAR(250) NOT NULL,
                        creationdate {time} NOT NULL,
                        lastlogin {time} NOT NULL,
                        logincount INT NOT NULL,
                        logoutcount INT NOT NULL,
                        balance DECIMAL(14, 2) NOT NULL,
                        openbalance DECIMAL(14, 2) NOT NULL){table}\
                    """,
                    """
                    CREATE TABLE accountprofileejb (
                        userid VARCHAR(250) NOT NULL PRIMARY KEY,
                        passwd VARCHAR(250) NOT NULL,
                        fullname VARCHAR(250) NOT NULL,
                        address VARCHAR(250) NOT NULL,
                        email VARCHAR(250) NOT NULL,
                        creditcard VARCHAR(250) NOT NULL){table}\
                    """,
                    """
                    CREATE TABLE quoteejb (
                        symbol VARCHAR(250) NOT NULL PRIMARY KEY,
                        companyname VARCHAR(250) NOT NULL,
                        price DECIMAL(14, 2) NOT NULL,
                        open1 DECIMAL(14, 2) NOT NULL,
                        low DECIMAL(14, 2) NOT NULL,
                        high DECIMAL(14, 2) NOT NULL,
                        volume DOUBLE PRECISION NOT NULL,
                        change1 DOUBLE PRECISION NOT NULL){table}\
                    """,
                    """
                    CREATE TABLE holdingejb (
                        holdingid INT NOT NULL PRIMARY KEY,
                        purchaseprice DECIMAL(14, 2) NOT NULL,
                        quantity DOUBLE PRECISION NOT NULL,
                        purchasedate {time} NOT NULL,
                        account_accountid INT NOT NULL,
                        quote_symbol VARCHAR(250) NOT NULL){table}\
                    """,
                    """
                    CREATE TABLE orderejb (
                        orderid INT NOT NULL PRIMARY KEY,
                        ordertype VARCHAR(10) NOT NULL,
                        orderstatus VARCHAR(10) NOT NULL,
                        opendate {time} NOT NULL,
                        completiondate {time},
                        quantity DOUBLE PRECISION NOT NULL,
                        price DECIMAL(14, 2) NOT NULL,
                        orderfee DECIMAL(14, 2) NOT NULL,
                        account_accountid INT NOT NULL,
                        quote_symbol VARCHAR(250) NOT NULL,
                        holding_holdingid INT){table}\
                    """,
                    """
                    CREATE TABLE keygenejb (
                        keyname VARCHAR(50) NOT NULL PRIMARY KEY,
                        keyval INT NOT NULL){table}\
                    """);

    /** Made when the tables are filled. The index on users is unique: two who register at once can't share a name. */
    private static final List<String> INDEXES =
            List.of(
                    "CREATE UNIQUE INDEX account_userid ON accountejb (profile_userid)",
                    "CREATE INDEX holding_accountid ON holdingejb (account_accountid)",
                    "CREATE INDEX order_holdingid ON orderejb (holding_holdingid)",
                    "CREATE INDEX closed_orders ON orderejb (account_accountid, orderstatus)",
                    "CREATE INDEX order_accountid ON orderejb (account_accountid)");

    private Schema() {}

    static void create(Connection connection, SqlDialect dialect) throws SQLException {
        for (String definition : DEFINITIONS) {
            execute(
                    connection,
                    definition
                            .replace("{time}", dialect.time())
                            .replace("{table}", dialect.ofTable()));
        }
    }

    static void createIndexes(Connection connection) throws SQLException {
        for (String index : INDEXES) {
            execute(connection, index);
        }
    }

    /** Drops those tables that there are. */
    static void drop(Connection connection) throws SQLException {
        for (String table : TABLES) {
            if (exists(connection, table)) {
                execute(connection, "DROP TABLE " + table);
            }
        }
    }

    static boolean exists(Connection connection, String table) throws SQLException {
        String upper = table.toUpperCase(Locale.ROOT);
        String schema = connection.getSchema();
        String catalog = connection.getCatalog();
        for (String name : List.of(table, upper)) {
            try (ResultSet tables =
                    connection
                            .getMetaData()
                            .getTables(
                                    catalog, schema, name, new String[] {"TABLE", "BASE TABLE"})) {
                if (tables.next()) {
                    return true;
                }
            }
        }
        return false;
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
