package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Handler;
import dev.penstock.http.loop.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the number of event loops that serve the connections of a server. */
@Timeout(60)
final class EventLoopsIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 64})
    void connections_asManyAsLoops_areOneOnEach(int loops) throws Exception {
        Handler loop =
                Handler.nonBlocking(
                        x -> x.respond(200, "text/plain", Thread.currentThread().getName()));
        Server server = start(b -> b.eventLoops(loops).get("/", loop));
        List<RawClient> clients = new ArrayList<>();
        try {
            Set<String> names = new TreeSet<>();
            for (int i = 0; i < loops; i++) {
                clients.add(new RawClient(server.port()));
                names.add(clients.getLast().send(GET).reply().text());
            }
            assertThat(names).hasSize(loops).allMatch(name -> name.startsWith("penstock-loop"));
        } finally {
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65})
    void eventLoops_outOfBounds_areRefused(int loops) {
        assertThatThrownBy(() -> Server.builder().eventLoops(loops))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("eventLoops is %d; it must be from 1 to 64", loops);
    }

    @Test
    void eventLoops_unlessSet_areOneForTwoProcessors() {
        int processors = Runtime.getRuntime().availableProcessors();
        assertThat(EventLoops.defaultCount()).isEqualTo(Math.clamp(processors / 2, 1, 8));
    }
}
