package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.PenstockProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options of the demo that are refused in one sentence, with exit code 2 and without a stack trace. */
class DemoRefusalIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir private Path directory;

    @Test
    void demo_badOption_isRefusedBeforeAnythingIsDone() throws Exception {
        String data = directory.resolve("data").toString();
        assertThat(refusal("demo", "--data", data, "--port", "70000"))
                .isEqualTo("penstock: --port 70000 is out of bounds: choose 0 to 65535");
        assertThat(refusal("demo", "--data", data, "--event-loops", "65"))
                .isEqualTo("penstock: --event-loops 65 is out of bounds: choose 1 to 64");
        assertThat(refusal("demo", "--data", data, "--bulk-reads", "0"))
                .contains("--bulk-reads 0 is out of bounds");
        assertThat(refusal("demo", "--data", data, "--queue-timeout", "3"))
                .contains("is no duration");
        assertThat(refusal("demo", "--data", data, "--frob")).contains("Unknown option: '--frob'");
        assertThat(directory).isEmptyDirectory();
    }

    private static String refusal(String... arguments) throws IOException, InterruptedException {
        try (PenstockProcess process =
                PenstockProcess.start(PenstockDemo.class, "64m", Map.of(), List.of(arguments))) {
            assertThat(process.exitCode(LIMIT)).isEqualTo(2);
            assertThat(process.out()).isEmpty();
            assertThat(process.err().lines()).singleElement().asString().startsWith("penstock: ");
            return process.err().strip();
        }
    }
}
