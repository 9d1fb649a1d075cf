package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ServerBuilder;
import dev.penstock.http.servlet.RawClient.Reply;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A filter of a container's that denies all it sees keeps everybody from the handlers below where it is mapped. */
@Timeout(120)
final class ContainerFiltersTest {
    /** Held, so that they stay as they are set. */
    private static final List<Logger> LOGGERS =
            Stream.of("org.apache", "org.eclipse.jetty", "dev.penstock")
                    .map(Logger::getLogger)
                    .toList();

    static {
        LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
    }

    private static final int SPELLINGS = 1500;

    private static final String[] SEGMENTS = {
        "secure",
        "secure",
        "film",
        "open",
        "x",
        "",
        ".",
        "..",
        "%2e",
        "%2E%2e",
        ".%2e",
        "%2e.",
        "..;",
        "..;x=y",
        ".;x",
        "%2e%2e;x",
        ";",
        ";x=y",
        "secure;",
        "secure;x=y",
        "film;jsessionid=1",
        "%73ecure",
        "secur%65",
        "%2573ecure",
        "%252e%252e",
        "..%00",
        "%c0%ae%c0%ae",
        "..%5c",
        "%5c..",
        "\\..",
        "%u002e",
        "*",
        "...",
        "..%3b",
        "SECURE",
        "%2f",
        "a%2fb",
        "..%2f",
        "%ef%bc%8e"
    };

    private static final String[] SEPARATORS = {
        "/",
        "/",
        "/",
        "/",
        "//",
        "\\",
        "%2f",
        "%2F",
        "%5c",
        "%5C",
        ";/",
        "/./",
        "/;/",
        "/../",
        "/%2e%2e/"
    };

    private final AtomicInteger reached = new AtomicInteger();

    /** Refuses everybody. */
    private static final Filter GUARD =
            (request, response, chain) ->
                    ((HttpServletResponse) response).sendError(403, "guarded");

    private ServerBuilder routes() {
        return Container.builder()
                .accessLog(false)
                .get(
                        "/secure/{rest...}",
                        x -> {
                            reached.incrementAndGet();
                            x.respond(200, "text/plain", "protected");
                        })
                .get("/secure", x -> x.respond(200, "text/plain", "protected"))
                .get("/", x -> x.respond(200, "text/plain", "open"))
                .get("/{rest...}", x -> x.respond(200, "text/plain", "open"));
    }

    static Stream<Arguments> mappings() {
        return Stream.of(SecuredContainer.values())
                .flatMap(container ->
                        Stream.of(
                                Arguments.of(container, "", "/*", "/secure/*", ""),
                                Arguments.of(container, "", "/", "/secure/*", ""),
                                Arguments.of(
                                        container,
                                        "/app",
                                        "/data/*",
                                        "/data/secure/*",
                                        "/app/data")));
    }

    @ParameterizedTest
    @MethodSource("mappings")
    void path_inAnySpelling_doesNotPassByAFilter(
            SecuredContainer container,
            String context,
            String mapping,
            String filtered,
            String prefix)
            throws Exception {
        long seed = new Random().nextLong();
        Running running = container.start(routes(), context, mapping, GUARD, filtered);
        try {
            assertThat(status(running, prefix + "/secure/film")).isEqualTo(403);
            assertThat(status(running, prefix + "/open/film")).isEqualTo(200);
            assertThat(status(running, prefix + "/%6fpen/a%20b%C3%A4%3B/?x=/../%2e;/"))
                    .isEqualTo(200);
            assertThat(reached).hasValue(0);
            for (String path : spellings(new Random(seed), prefix)) {
                int status = status(running, path);
                assertThat(reached).as("%s with %d, seed %d", path, status, seed).hasValue(0);
            }
        } finally {
            running.stopAll();
        }
    }

    private static Set<String> spellings(Random random, String prefix) {
        Set<String> all = new LinkedHashSet<>();
        all.add(prefix + "/secure/film/../../x");
        all.add(prefix + "/secure/..;/secure/film");
        all.add(prefix + "/x/..%2fsecure/film");
        while (all.size() < SPELLINGS) {
            StringBuilder path = new StringBuilder();
            String whole = random.nextInt(5) == 0 ? "" : prefix;
            path.append(whole);
            int parts = 1 + random.nextInt(5);
            for (int i = 0; i < parts; i++) {
                path.append(i == 0 && whole.isEmpty() ? "/" : pick(random, SEPARATORS));
                path.append(i == 0 && random.nextBoolean() ? "secure" : pick(random, SEGMENTS));
            }
            all.add(path.toString());
        }
        return all;
    }

    private static String pick(Random random, String[] of) {
        return of[random.nextInt(of.length)];
    }

    /** 0 where there is no answer. */
    private static int status(Running running, String path) throws IOException {
        try (RawClient client = new RawClient(running.port())) {
            Reply reply =
                    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .head();
            return reply.status();
        }
    }

    @ParameterizedTest
    @EnumSource(SecuredContainer.class)
    void path_thatContainersReadInTheirWay_isRefusedWithWhatToDo(SecuredContainer container)
            throws Exception {
        Running running = container.start(routes(), "", "/*", GUARD, "/secure/*");
        try {
            for (String path :
                    new String[] {
                        "/secure/film/../../x",
                        "/x/./y",
                        "/x/%2E%2e/y",
                        "/x;y=z/w",
                        "/x//y",
                        "/x/..",
                        "/x/%2fy",
                        "/x/%5C"
                    }) {
                assertThat(status(running, path)).as(path).isEqualTo(400);
            }
            try (RawClient client = new RawClient(running.port())) {
                Reply reply = client.get("/a/../x").reply();
                assertThat(reply.status()).isEqualTo(400);
                assertThat(reply.body())
                        .contains("The path has '..' at 3")
                        .contains("send the path that it leads to");
            }
        } finally {
            running.stopAll();
        }
    }
}
