package com.example.shop;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.service.CallRejectedException;
import dev.penstock.service.InstanceContext;
import dev.penstock.service.PoolFigures;
import dev.penstock.service.ServicePool;
import dev.penstock.service.ServicePoolBuilder;
import dev.penstock.service.Supervision;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Page 8 of the guide: service pools. */
public final class ServicePools {
    public static void main(String[] arguments) {
        ServicePool<Orders> pool = orders(Shop.source(Shop.URL)).start();
        Server server = routes(pool).port(8080).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/spent/17");
    }

    // region interface
    /** The orders of the shop. */
    public interface Orders {
        /** Returns what a customer has spent. */
        BigDecimal spent(int customer) throws SQLException;

        /** Returns how far a purchase has come. */
        String status(int purchase) throws SQLException;

        /** Notes how far a purchase has come. Returns nothing, so nobody waits for it. */
        void note(int purchase, String status) throws SQLException;
    }

    // end

    // region service
    static final class JdbcOrders implements Orders, AutoCloseable {
        private final Connection connection;

        JdbcOrders(DataSource source) throws SQLException {
            connection = source.getConnection();
        }

        // end

        @Override
        public String status(int purchase) throws SQLException {
            try (PreparedStatement query =
                    connection.prepareStatement("select status from purchase where id = ?")) {
                query.setInt(1, purchase);
                try (ResultSet row = query.executeQuery()) {
                    return row.next() ? row.getString(1) : "unknown";
                }
            }
        }

        @Override
        public void note(int purchase, String status) throws SQLException {
            try (PreparedStatement update =
                    connection.prepareStatement("update purchase set status = ? where id = ?")) {
                update.setString(1, status);
                update.setInt(2, purchase);
                update.executeUpdate();
            }
        }

        // region service
        @Override
        public void close() throws SQLException {
            connection.close();
        }

        @Override
        public BigDecimal spent(int customer) throws SQLException {
            try (PreparedStatement sum =
                    connection.prepareStatement(
                            "select coalesce(sum(total), 0) from purchase where customer_id = ?")) {
                sum.setInt(1, customer);
                try (ResultSet row = sum.executeQuery()) {
                    row.next();
                    return row.getBigDecimal(1);
                }
            }
        }
    }

    // end

    // region pool
    static ServicePoolBuilder<Orders> orders(DataSource source) {
        return ServicePool.of(Orders.class, () -> new JdbcOrders(source))
                .onStart((orders, context) -> orders.status(1)) // not ready before this succeeds
                .size(2, 8)
                .queue(100)
                .callTimeout(Duration.ofSeconds(5))
                .supervise(
                        Supervision.standard()
                                .restart(SQLException.class)
                                .resume(SQLIntegrityConstraintViolationException.class));
    }

    // end

    // region routes
    static ServerBuilder routes(ServicePool<Orders> pool) {
        return Server.builder()
                .mapError(
                        CallRejectedException.class,
                        full -> HttpException.unavailable("Busy", full.retryAfter()))
                .mapError(
                        IllegalArgumentException.class,
                        wrong -> new HttpException(400, "" + wrong.getMessage()))
                .get(
                        "/spent/{customer}",
                        exchange -> {
                            int customer = Integer.parseInt(exchange.pathParameter("customer"));
                            exchange.suspend(
                                    pool.async(orders -> orders.spent(customer)),
                                    (later, spent) ->
                                            later.respond(200, "text/plain", spent + "\n"));
                        })
                .post("/note/{purchase}/{status}", exchange -> note(pool, exchange))
                .get("/most/{customers}", exchange -> most(pool, exchange))
                .get("/pool", exchange -> figures(pool, exchange))
                .post("/pool/{size}", exchange -> resize(pool, exchange))
                .closeAtStop(pool);
    }

    // end

    // region key
    private static void note(ServicePool<Orders> pool, Exchange exchange) throws SQLException {
        int purchase = Integer.parseInt(exchange.pathParameter("purchase"));
        pool.key(purchase).proxy().note(purchase, exchange.pathParameter("status"));
        exchange.respond(202, "text/plain", "noted\n");
    }

    // end

    // region each
    private static void most(ServicePool<Orders> pool, Exchange exchange) throws SQLException {
        List<Integer> customers =
                Stream.of(exchange.pathParameter("customers").split(",", -1))
                        .map(Integer::valueOf)
                        .toList();
        List<BigDecimal> spent = pool.forEach(customers, Orders::spent);
        BigDecimal most = spent.stream().reduce(BigDecimal.ZERO, BigDecimal::max);
        exchange.respond(200, "text/plain", most + "\n");
    }

    // end

    // region figures
    private static void resize(ServicePool<Orders> pool, Exchange exchange) {
        pool.resize(1, Integer.parseInt(exchange.pathParameter("size")));
        figures(pool, exchange);
    }

    private static void figures(ServicePool<Orders> pool, Exchange exchange) {
        PoolFigures now = pool.figures();
        exchange.respond(
                200,
                "text/plain",
                "%d of at most %d instances busy, %d calls wait; %d calls so far, %d refused, %d restarts\n"
                        .formatted(
                                now.busy(),
                                now.max(),
                                now.waiting(),
                                now.calls(),
                                now.rejections(),
                                now.restarts()));
    }

    // end

    // region parts
    /** The orders, with two instances and a short queue of their own for the sums, which take long. */
    static ServicePoolBuilder<Orders> inParts(DataSource source) {
        return orders(source).part("sums", part -> part.size(2).queue(10), "spent");
    }

    // end

    // region children
    /** A service that splits each of its calls over a pool that it owns. */
    static final class Statistics {
        private final ServicePool<Orders> readers;

        Statistics(DataSource source, InstanceContext context) {
            readers =
                    context.pool(Orders.class, _ -> new JdbcOrders(source))
                            .size(1, 4)
                            .queue(1_000)
                            .start();
        }

        /** Returns the most that one of the customers has spent. */
        BigDecimal most(List<Integer> customers) throws SQLException {
            List<BigDecimal> spent = readers.forEach(customers, Orders::spent);
            return spent.stream().reduce(BigDecimal.ZERO, BigDecimal::max);
        }
    }

    static ServicePoolBuilder<Statistics> statistics(DataSource source) {
        return ServicePool.of(Statistics.class, context -> new Statistics(source, context)).size(1);
    }

    // end

    // region threads
    /** The orders over a driver that belongs to a thread: four instances, which share two threads. */
    static ServicePoolBuilder<Orders> onThreads(DataSource source) {
        return orders(source).size(4).dedicated().threads(2);
    }

    // end
}
