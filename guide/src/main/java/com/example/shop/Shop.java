package com.example.shop;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * The database that all programs of the guide use: a shop with a thousand customers and a hundred thousand purchases,
 * in a file.
 */
public final class Shop {
    static final String URL = "jdbc:h2:./shop";

    private Shop() {}

    /** A pool of connections to the shop. */
    static DataSource source(String url) {
        JdbcConnectionPool pool = JdbcConnectionPool.create(url, "sa", "");
        pool.setMaxConnections(40);
        return pool;
    }

    // region main
    /** Makes the database, which takes a few seconds. */
    public static void main(String[] arguments) throws SQLException {
        create(source(URL), 100_000);
    }

    static void create(DataSource source, int purchases) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    """
                    create table customer (
                        id int primary key,
                        name varchar(40) not null,
                        city varchar(40))
                    """);
            statement.execute(
                    """
                    insert into customer
                    select x, 'Customer ' || x,
                        case mod(x, 4) when 0 then 'Lyon' when 1 then 'Turin' when 2 then 'Graz' end
                    from system_range(1, 1000)
                    """);
            statement.execute(
                    """
                    create table purchase (
                        id int primary key,
                        customer_id int not null references customer,
                        placed date not null,
                        status varchar(10) not null,
                        total decimal(10, 2) not null)
                    """);
            statement.execute(
                    """
                    insert into purchase
                    select x, 1 + mod(x * 7, 1000), date '2026-01-01' + mod(x, 300),
                        case when mod(x, 10) = 0 then 'open' else 'paid' end, mod(x * 37, 100000) / 100.0
                    from system_range(1, %d)
                    """
                            .formatted(purchases));
        }
    }
    // end
}
