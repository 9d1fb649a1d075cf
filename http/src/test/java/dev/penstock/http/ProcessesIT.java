package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.RawClient.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Child processes that answer requests; the children are shells, which every machine has that this runs on. */
@Timeout(60)
final class ProcessesIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private Server shell(Processes processes, String script, Duration timeout) {
        return start(b ->
                b.get(
                        "/",
                        x ->
                                processes.run(
                                        x,
                                        new ProcessBuilder(List.of("/bin/sh", "-c", script)),
                                        timeout,
                                        "text/plain")));
    }

    @Test
    void process_thatEnds_answersWithAllOfItsOutput() throws Exception {
        Processes processes = new Processes(2);
        Server server =
                shell(
                        processes,
                        "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done",
                        Duration.ofSeconds(30));
        try (RawClient client = new RawClient(server.port())) {
            for (int round = 0; round < 3; round++) {
                List<String> lines = client.send(GET).reply().text().lines().toList();
                assertThat(lines).hasSize(20_000);
                assertThat(lines.getLast()).isEqualTo("line 19999");
            }
        }
        await("processes", () -> processes.running() == 0);
    }

    @Test
    void process_thatWritesAndThenWaits_isHeardAtOnceAndHoldsNoThread() throws Exception {
        Processes processes = new Processes(2);
        Server server =
                shell(processes, "printf first; sleep 1; printf second", Duration.ofSeconds(30));
        try (RawClient client = new RawClient(server.port())) {
            long started = System.nanoTime();
            client.send(GET).head();
            assertThat(client.line()).isEqualTo("5");
            assertThat(client.line()).isEqualTo("first");
            long first = System.nanoTime() - started;
            await("waits", () -> server.waiting() == 1 && server.running() == 0);
            assertThat(client.line()).isEqualTo("6");
            assertThat(client.line()).isEqualTo("second");
            assertThat(System.nanoTime() - started - first)
                    .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        }
    }

    @Test
    void process_withoutOutput_isAnEmptyResponse() throws Exception {
        Server server = shell(new Processes(1), "exit 0", Duration.ofSeconds(30));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(GET).reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).isEmpty();
        }
    }

    @Test
    void process_thatFails_isAnErrorThatSaysItsCode() throws Exception {
        Server server = shell(new Processes(1), "exit 3", Duration.ofSeconds(30));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(GET).reply();
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text()).contains("exit code 3");
        }
    }

    @Test
    void process_thatTakesTooLong_isEndedAnd504() throws Exception {
        Processes processes = new Processes(1);
        Server server = shell(processes, "sleep 60", Duration.ofMillis(200));
        try (RawClient client = new RawClient(server.port())) {
            Reply reply = client.send(GET).reply();
            assertThat(reply.status()).isEqualTo(504);
            assertThat(reply.text()).contains("PT0.2S");
            await("process ends", () -> processes.running() == 0);
        }
    }

    @Test
    void process_ofAClientThatLeaves_isEnded() throws Exception {
        Processes processes = new Processes(1);
        Server server = shell(processes, "sleep 60", Duration.ofSeconds(30));
        try (RawClient client = new RawClient(server.port())) {
            client.send(GET);
            await("waits", () -> server.waiting() == 1);
            try (RawClient second = new RawClient(server.port())) {
                Reply full = second.send(GET).reply();
                assertThat(full.status()).isEqualTo(503);
                assertThat(full.header("Retry-After")).contains("5");
            }
        }
        await("process ends", () -> processes.running() == 0);
    }

    @Test
    void process_thatCantBeStarted_isAnErrorAndGivesItsPlaceBack() throws Exception {
        Processes processes = new Processes(1);
        Server server =
                start(b ->
                        b.get(
                                "/",
                                x ->
                                        processes.run(
                                                x,
                                                new ProcessBuilder("/no/such/program"),
                                                Duration.ofSeconds(30),
                                                "text/plain")));
        try (RawClient client = new RawClient(server.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.send(GET).reply().status()).isEqualTo(500);
            }
        }
        assertThat(processes.running()).isZero();
    }
}
