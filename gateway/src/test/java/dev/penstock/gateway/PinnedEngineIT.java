package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.http.server.Server;
import dev.penstock.query.Engine;
import dev.penstock.query.PinnedEngine;
import dev.penstock.query.sql.Database;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The queries of a request are asked of one version of an engine that has versions. */
@Tag("any-loops")
class PinnedEngineIT {
    /** Versions that were pinned and not given back. */
    private final AtomicInteger pinned = new AtomicInteger();

    /** An engine that answers plans only where a version of it was pinned. */
    private Engine versioned(Database database) {
        return (Engine)
                Proxy.newProxyInstance(
                        Engine.class.getClassLoader(),
                        new Class<?>[] {Engine.class},
                        (_, method, arguments) -> answer(database, method, arguments));
    }

    private Object answer(Database database, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("pinned")) {
            pinned.incrementAndGet();
            return new PinnedEngine(database, pinned::decrementAndGet);
        }
        if (method.getName().startsWith("open")) {
            throw new AssertionError("a plan was asked of no version");
        }
        try {
            return method.invoke(database, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void countAndRows_ofOneRequest_areOfOneVersion() throws Exception {
        try (TestDatabase database = TestDatabase.create(Kind.H2)) {
            database.execute(
                    "create table people (id int primary key)",
                    "insert into people values (1), (2), (3)");
            Database served = Database.connect(database.dataSource());
            Gateway gateway = Gateway.builder(versioned(served)).build();
            try (Server server = gateway.mount(Serving.builder()).start();
                    HttpClient client = HttpClient.newHttpClient()) {
                URI uri = URI.create("http://127.0.0.1:" + server.port() + "/api/people?limit=2");
                HttpResponse<String> response =
                        client.send(
                                HttpRequest.newBuilder(uri).header("Prefer", "count=exact").build(),
                                HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).isEqualTo(206);
                assertThat(response.headers().firstValue("Content-Range")).hasValue("0-1/3");
                assertThat(response.body()).isEqualToIgnoringWhitespace("[{\"id\":1},{\"id\":2}]");
            }
            // The server's threads have ended.
            assertThat(pinned).hasValue(0);
        }
    }
}
