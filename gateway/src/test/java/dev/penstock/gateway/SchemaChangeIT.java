package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.http.server.Server;
import dev.penstock.query.sql.Database;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that change while they are served. */
@Tag("any-loops")
class SchemaChangeIT {
    private static final String[] TABLE = {
        "create table thing (id int primary key, name varchar(40), old varchar(40))",
        "insert into thing values (1, 'one', 'x'), (2, 'two', 'y')",
    };

    private static void reread(Serving serving) {
        Database fresh =
                Database.builder(serving.pool).evictor(serving.pool::evictConnection).connect();
        serving.gateway.serve(fresh, fresh);
    }

    private static Serving serving(Kind kind, AtomicInteger readings) {
        AtomicReference<Serving> itself = new AtomicReference<>();
        Serving serving =
                new Serving(
                        kind,
                        gateway ->
                                gateway.onSchemaFailure(() -> {
                                    readings.incrementAndGet();
                                    reread(itself.get());
                                    return true;
                                }),
                        TABLE);
        itself.set(serving);
        return serving;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void column_thatIsDropped_failsOneRequestAndIsUnknownThen(Kind kind) throws Exception {
        AtomicInteger readings = new AtomicInteger();
        try (Serving serving = serving(kind, readings)) {
            assertThat(serving.get("/api/thing?order=id").statusCode()).isEqualTo(200);
            serving.database.execute("alter table thing drop column old");
            HttpResponse<String> first = serving.get("/api/thing?order=id");
            assertThat(first.statusCode()).as(first.body()).isEqualTo(503);
            assertThat(first.headers().firstValue("Retry-After")).contains("1");
            assertThat(serving.get("/api/thing?order=id").body())
                    .isEqualTo("[{\"id\":1,\"name\":\"one\"},\n{\"id\":2,\"name\":\"two\"}]\n");
            assertThat(serving.get("/api/thing?old=eq.x").statusCode()).isEqualTo(400);
            assertThat(readings).hasValue(1);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void table_thatIsDroppedAndMadeAnew_isUnknownAndThenOfItsNewTypes(Kind kind) throws Exception {
        AtomicInteger readings = new AtomicInteger();
        try (Serving serving = serving(kind, readings)) {
            serving.database.execute("drop table thing");
            HttpResponse<String> gone = serving.get("/api/thing");
            assertThat(gone.statusCode()).as(gone.body()).isEqualTo(404);
            assertThat(serving.get("/api").body()).doesNotContain("thing");
            serving.database.execute("create table thing (id varchar(10) primary key)");
            assertThat(serving.get("/api/thing").statusCode()).isEqualTo(404);
            reread(serving);
            assertThat(serving.get("/api/thing").body().strip()).isEqualTo("[]");
            assertThat(serving.get("/api").body()).contains("{\"name\":\"id\",\"type\":\"text\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void requests_whileTheSchemaIsReadAgain_areAllAnswered(Kind kind) throws Exception {
        try (Serving serving = serving(kind, new AtomicInteger());
                ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            AtomicBoolean done = new AtomicBoolean();
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                answers.add(clients.submit(() -> ask(serving, done)));
            }
            for (int i = 0; i < 10; i++) {
                reread(serving);
            }
            done.set(true);
            for (Future<Integer> asked : answers) {
                assertThat(asked.get()).isPositive();
            }
        }
    }

    private static int ask(Serving serving, AtomicBoolean done) throws Exception {
        int count = 0;
        do {
            HttpResponse<String> answer = serving.get("/api/thing?order=id&select=id");
            assertThat(answer.body()).isEqualTo("[{\"id\":1},\n{\"id\":2}]\n");
            count++;
        } while (!done.get());
        return count;
    }

    @Test
    void table_thatTheUserMayNotRead_isNotListed_andIsForbiddenOnceItWas() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.POSTGRESQL)) {
            String role = "reader" + Long.toUnsignedString(System.nanoTime());
            database.execute(
                    "create table open_one (id int primary key)",
                    "create table secret (id int primary key)",
                    "create role " + role,
                    "grant select on open_one to " + role);
            HikariConfig config = new HikariConfig();
            config.setDataSource(database.dataSource());
            config.setMaximumPoolSize(3);
            config.setConnectionInitSql("set role " + role);
            try (HikariDataSource pool = new HikariDataSource(config);
                    Serving client = new Serving(Kind.H2)) {
                Gateway gateway = Gateway.builder(Database.connect(pool)).build();
                try (Server server = gateway.mount(Server.builder().port(0)).start()) {
                    assertThat(client.get(server, "/api").body())
                            .contains("open_one")
                            .doesNotContain("secret");
                    assertThat(client.get(server, "/api/secret").statusCode()).isEqualTo(404);
                    assertThat(client.get(server, "/api/open_one").statusCode()).isEqualTo(200);
                    database.execute("revoke select on open_one from " + role);
                    HttpResponse<String> denied = client.get(server, "/api/open_one");
                    assertThat(denied.statusCode()).as(denied.body()).isEqualTo(403);
                    assertThat(denied.body()).contains("may not read");
                }
            } finally {
                database.execute("drop owned by " + role, "drop role " + role);
            }
        }
    }
}
