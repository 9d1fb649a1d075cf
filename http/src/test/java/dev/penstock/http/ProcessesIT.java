package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.exchange.ServerSuspension;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Child processes that answer requests; the children are shells, which every machine has that this runs on. */
@Timeout(60)
@ParameterizedClass
@EnumSource(Protocol.class)
final class ProcessesIT extends ServerFixture {
    private final Protocol protocol;

    @TempDir private Path directory;

    ProcessesIT(Protocol protocol) {
        this.protocol = protocol;
    }

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
        try (TestClient client = protocol.connect(server.port())) {
            for (int round = 0; round < 3; round++) {
                List<String> lines = client.get("/").reply().text().lines().toList();
                assertThat(lines).hasSize(20_000);
                assertThat(lines.getLast()).isEqualTo("line 19999");
            }
        }
        await("processes", () -> processes.running() == 0);
    }

    @Test
    void process_thatWritesAndThenWaits_isHeardAtOnceAndHoldsNoThread() throws Exception {
        Processes processes = new Processes(2);
        Path go = directory.resolve("go");
        Server server =
                shell(
                        processes,
                        "printf first; while [ ! -e '"
                                + go
                                + "' ]; do sleep 0.05; done; printf second",
                        Duration.ofSeconds(50));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            assertThat(client.body().readNBytes(5)).asString().isEqualTo("first");
            await("waits", () -> server.waiting() == 1 && server.running() == 0);
            Files.createFile(go);
            assertThat(client.body().readAllBytes()).asString().isEqualTo("second");
        }
    }

    @Test
    void process_withoutOutput_isAnEmptyResponse() throws Exception {
        Server server = shell(new Processes(1), "exit 0", Duration.ofSeconds(30));
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get("/").reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).isEmpty();
        }
    }

    @Test
    void process_thatFails_isAnErrorThatSaysItsCode() throws Exception {
        Server server = shell(new Processes(1), "exit 3", Duration.ofSeconds(30));
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get("/").reply();
            assertThat(reply.status()).isEqualTo(500);
            assertThat(reply.text()).contains("exit code 3");
        }
    }

    @Test
    void process_thatTakesTooLong_isEndedAnd504() throws Exception {
        Processes processes = new Processes(1);
        Server server = shell(processes, "sleep 60", Duration.ofMillis(200));
        try (TestClient client = protocol.connect(server.port())) {
            Reply reply = client.get("/").reply();
            assertThat(reply.status()).isEqualTo(504);
            assertThat(reply.text()).contains("200 ms");
            await("process ends", () -> processes.running() == 0);
        }
    }

    @Test
    void process_ofAClientThatLeaves_isEnded() throws Exception {
        Processes processes = new Processes(1);
        Server server = shell(processes, "sleep 60", Duration.ofSeconds(30));
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/");
            await("waits", () -> server.waiting() == 1);
            try (TestClient second = protocol.connect(server.port())) {
                Reply full = second.get("/").reply();
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
        try (TestClient client = protocol.connect(server.port())) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").reply().status()).isEqualTo(500);
            }
        }
        assertThat(processes.running()).isZero();
    }

    @Test
    void process_thatRunsForLong_leavesNoTraceOfItsEarlierWaits() throws Exception {
        Processes processes = new Processes(1);
        Server server = shell(processes, "sleep 60", Duration.ofSeconds(50));
        try (TestClient client = protocol.connect(server.port())) {
            // Those of tests before this one may not be gone yet.
            int before = instances(ServerSuspension.class);
            client.get("/");
            await("waits", () -> server.waiting() == 1);
            long polled = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(600);
            await("polled often", () -> System.nanoTime() > polled);
            assertThat(instances(ServerSuspension.class)).isLessThan(before + 5);
        }
        await("process ends", () -> processes.running() == 0);
    }

    /** How many live ones there are in this JVM. */
    private static int instances(Class<?> type) throws Exception {
        Object histogram =
                ManagementFactory.getPlatformMBeanServer()
                        .invoke(
                                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                "gcClassHistogram",
                                new Object[] {new String[0]},
                                new String[] {String[].class.getName()});
        return histogram
                .toString()
                .lines()
                .map(line -> line.trim().split("\\s+", -1))
                .filter(columns -> columns.length > 3 && columns[3].equals(type.getName()))
                .mapToInt(columns -> Integer.parseInt(columns[1]))
                .sum();
    }

    @Test
    void child_ofAProcess_thatIgnoresThatItIsToEnd_isEndedAllTheSame() throws Exception {
        Processes processes = new Processes(1);
        String child = "(trap '' TERM; while :; do sleep 0.1; done) & echo $!; wait";
        Server server = shell(processes, child, Duration.ofSeconds(50));
        ProcessHandle stubborn;
        try (TestClient client = protocol.connect(server.port())) {
            client.get("/").head();
            String number = "";
            while (!number.endsWith("\n")) {
                number += (char) client.body().read();
            }
            stubborn = ProcessHandle.of(Long.parseLong(number.strip())).orElseThrow();
        }
        try {
            await("process ends", () -> processes.running() == 0);
            await("child ends", () -> !stubborn.isAlive());
        } finally {
            stubborn.destroyForcibly();
        }
    }
}
