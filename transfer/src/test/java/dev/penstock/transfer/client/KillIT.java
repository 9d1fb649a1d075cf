package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ChildJvm;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.upload.UploadFixture;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are killed at any moment, and begun again. */
class KillIT extends UploadFixture {
    private static final int KILLS = Boolean.getBoolean("penstock.soak") ? 200 : 20;
    private static final int LENGTH = KILLS * 1_200_000;

    @TempDir Path here;

    @Test
    void transfers_clientIsKilledAgainAndAgain_areWhole() throws Exception {
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] content = RangeServer.bytes(LENGTH, 77);
        Path file = Files.write(here.resolve("sent.bin"), content);
        Server server = serve();
        CuttingProxy.Settings slow = CuttingProxy.Settings.none(seed).slowing(16_000_000);
        try (RangeServer ranges = new RangeServer(content);
                CuttingProxy up = CuttingProxy.start(server.port(), slow);
                CuttingProxy down = CuttingProxy.start(ranges.port(), slow)) {
            URI uploads = URI.create("http://127.0.0.1:" + up.port() + BASE);
            URI download = RangeServer.uri(down.port());
            List<String> lines = new ArrayList<>();
            for (int i = 0; i < KILLS && !lines.contains("done"); i++) {
                lines = run(uploads, file, download, random.nextInt(32));
            }
            if (!lines.contains("done")) {
                lines = run(uploads, file, download, Integer.MAX_VALUE);
            }
            String sha256 = RangeServer.sha256(content);
            assertThat(lines)
                    .as("-Dpenstock.seed=%d", seed)
                    .contains("done")
                    .anySatisfy(
                            line -> assertThat(line).startsWith("GET " + LENGTH + " " + sha256));
            assertThat(here.resolve("got0")).hasDigest("SHA-256", sha256);
            assertThat(directory.resolve("sent0")).hasDigest("SHA-256", sha256);
            long moved = up.bytes() + down.bytes();
            assertThat(moved)
                    .as("bytes that moved twice")
                    .isLessThan(2L * LENGTH + (KILLS + 1) * 2_500_000L);
        }
    }

    /** Runs a client, and kills it behind so many lines. */
    private List<String> run(URI uploads, Path file, URI download, int limit)
            throws IOException, InterruptedException {
        List<String> command =
                ChildJvm.command(
                        List.of(
                                "-Xmx64m",
                                "-XX:TieredStopAtLevel=1",
                                "-Djdk.httpclient.sendBufferSize=65536"),
                        ClientProcess.class,
                        "1",
                        uploads.toString(),
                        file.toString(),
                        download.toString(),
                        here.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = process.inputReader()) {
            for (String line; (line = reader.readLine()) != null; ) {
                lines.add(line);
                if (lines.size() > limit) {
                    process.destroyForcibly();
                    break;
                }
            }
        }
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        return lines;
    }
}
