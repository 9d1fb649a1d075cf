package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.PenstockProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command daytrader, on Derby and H2. */
class DayTraderCommandIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir Path directory;

    private static List<String> arguments(String url, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "daytrader",
                                "--jdbc",
                                url,
                                "--quotes",
                                "50",
                                "--users",
                                "20",
                                "--password-iterations",
                                "10",
                                "--plain-requests"));
        arguments.addAll(List.of(more));
        return arguments;
    }

    @Test
    void daytrader_emptyDerby_isFilledAndKept() throws Exception {
        String url = "jdbc:derby:" + directory.resolve("trade") + ";create=true";
        try (PenstockProcess first = serving(arguments(url, "--port", "0"))) {
            assertThat(first.body("/daytrader/app?action=login&uid=uid:19&passwd=xxx"))
                    .contains("Welcome to DayTrader, uid:19");
            assertThat(first.body("/daytrader/rest/quotes/s:49")).contains("S49 Incorporated");
            assertThat(first.body("/daytrader/config?action=checkBooks"))
                    .contains("The books balance");
            assertThat(first.status("/api")).isEqualTo(404);
            first.terminate();
            assertThat(first.exitCode(LIMIT)).isZero();
            assertThat(first.err()).contains("filling DayTrader");
        }
        try (PenstockProcess second = serving(arguments(url, "--port", "0"))) {
            assertThat(second.body("/daytrader/app?action=login&uid=uid:19&passwd=xxx"))
                    .contains("Welcome to DayTrader, uid:19");
            assertThat(second.err()).doesNotContain("filling DayTrader");
        }
    }

    private static PenstockProcess serving(List<String> arguments) throws IOException {
        return PenstockProcess.serving(PenstockDemo.class, "64m", Map.of(), arguments);
    }

    @Test
    void daytrader_wrongOptions_saysWhatIsRight() throws Exception {
        refused("--instances 0", "1 to 10,000", "--instances", "0");
        refused("--orders", "synchronous or asynchronous", "--orders", "soon");
        refused("--connections", "1 to 10000", "--connections", "0");
        refused("iterations", "1 to 10,000,000", "--password-iterations", "0");
    }

    private void refused(String what, String remedy, String... options) throws Exception {
        String url = "jdbc:h2:" + directory.resolve("h2") + ";IFEXISTS=FALSE";
        List<String> arguments = new ArrayList<>(List.of("daytrader", "--jdbc", url));
        arguments.addAll(List.of(options));
        try (PenstockProcess process =
                PenstockProcess.start(PenstockDemo.class, "64m", Map.of(), arguments)) {
            assertThat(process.exitCode(LIMIT)).as(what).isEqualTo(2);
            assertThat(process.err()).contains(remedy);
        }
    }
}
