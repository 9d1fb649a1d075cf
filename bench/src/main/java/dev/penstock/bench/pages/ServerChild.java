package dev.penstock.bench.pages;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.bench.child.Answer;
import dev.penstock.bench.child.HeapWatch;
import dev.penstock.bench.child.Orders;
import dev.penstock.gateway.Gateway;
import dev.penstock.http.Admission;
import dev.penstock.http.server.Server;
import dev.penstock.presidents.Presidents;
import dev.penstock.query.sql.Database;
import dev.penstock.query.sql.DriverSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A server under measurement, in a JVM of its own: the gateway at {@code /api}, and, where the database has the presidents, their
 * page in every variant ({@link PageVariants}). Arguments: {@code url}, {@code user}, {@code password}, {@code running} (bulk
 * requests at once), {@code presidents} (whether they are there). Beside {@link HeapWatch}'s orders it takes {@code settle},
 * which waits until no request runs or waits.
 */
public final class ServerChild {
    /** Connections beyond those of bulk requests, for short ones. */
    private static final int SHORT = 8;

    private static final int WIDE_CELLS = 2;

    private static final int MAX_WAITING = 4096;
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    /** Held, since a logger that nobody holds forgets its level. */
    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private ServerChild() {}

    public static void main(String[] arguments) throws IOException {
        Answer settings = Answer.parse(arguments[0]);
        // It tells of every connection that is evicted, which is what happens to those of clients
        // that leave.
        POOL.setLevel(Level.OFF);
        int running = (int) settings.whole("running");
        Admission bulk = new Admission(running, MAX_WAITING, PATIENCE);
        Admission shortRequests = new Admission(SHORT, MAX_WAITING, PATIENCE);
        HikariDataSource pool = pool(settings, running);
        HikariDataSource shortPool = pool(settings, SHORT);
        Database database =
                Database.builder(pool)
                        .evictor(pool::evictConnection)
                        .wideCellSource(pool(settings, WIDE_CELLS))
                        .connect();
        Server.Builder builder = Server.builder().port(0).accessLog(false);
        Gateway.builder(database)
                .bulk(bulk)
                .shortRequests(shortRequests)
                .shortEngine(database.over(shortPool, shortPool::evictConnection))
                .build()
                .mount(builder);
        if (Boolean.parseBoolean(settings.text("presidents"))) {
            new Presidents(database).mount(builder, bulk);
            new PageVariants(settings, pool, database).mount(builder, bulk);
        }
        Server server = builder.start();
        Orders orders = new Orders();
        new HeapWatch().answerTo(orders);
        orders.on("settle", order -> settle(bulk, shortRequests));
        orders.serve(new Answer(Map.of("port", Integer.toString(server.port()))));
    }

    /** A pool with all its connections open, so that opening them is not measured. */
    public static HikariDataSource pool(Answer settings, int size) {
        HikariConfig configuration = new HikariConfig();
        configuration.setJdbcUrl(settings.text("url"));
        configuration.setUsername(settings.text("user"));
        configuration.setPassword(settings.text("password"));
        configuration.setDataSourceProperties(DriverSettings.of(settings.text("url")));
        configuration.setMaximumPoolSize(size);
        configuration.setMinimumIdle(size);
        return new HikariDataSource(configuration);
    }

    private static Answer settle(Admission... admissions) {
        Map<String, String> answer = new LinkedHashMap<>();
        boolean busy = true;
        for (int i = 0; busy && i < 500; i++) {
            busy = false;
            for (Admission admission : admissions) {
                busy |= admission.runningNow() > 0 || admission.waitingNow() > 0;
            }
            if (busy) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        answer.put("settled", Boolean.toString(!busy));
        return new Answer(answer);
    }
}
