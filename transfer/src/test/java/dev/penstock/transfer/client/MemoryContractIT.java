package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ChildJvm;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The memory of a client: 64 uploads and 64 downloads at once in a heap of 64 MB. */
class MemoryContractIT extends UploadFixture {
    private static final int COUNT = 64;

    /** All of them, sent and received, are on the disk at once. */
    private static final int LENGTH = Boolean.getBoolean("penstock.soak") ? 40_000_000 : 2_500_000;

    @TempDir Path here;

    @Test
    void transfers_manyAtOnceInASmallHeap_areWhole() throws Exception {
        byte[] content = RangeServer.bytes(LENGTH, 5);
        Path file = Files.write(here.resolve("sent.bin"), content);
        Server server = serve();
        try (RangeServer ranges = new RangeServer(content)) {
            List<String> command =
                    ChildJvm.command(
                            List.of(
                                    "-Xmx64m",
                                    "-XX:MaxDirectMemorySize=24m",
                                    "-XX:+ExitOnOutOfMemoryError"),
                            ClientProcess.class,
                            Integer.toString(COUNT),
                            "http://127.0.0.1:" + server.port() + BASE,
                            file.toString(),
                            ranges.uri().toString(),
                            here.toString());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> lines = ClientProcess.lines(process);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            String end =
                    " "
                            + LENGTH
                            + " "
                            + RangeServer.sha256(content)
                            + " resumed at 0, interrupted 0, repeated 0";
            assertThat(lines).filteredOn(line -> line.equals("TUS" + end)).hasSize(COUNT);
            assertThat(lines).filteredOn(line -> line.equals("GET" + end)).hasSize(COUNT);
        }
    }
}
