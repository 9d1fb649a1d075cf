package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.ChildJvm;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.upload.ResumableUploads;
import dev.penstock.transfer.upload.UploadFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes that a client sends twice, where the operating system holds as few as the documentation advises. */
class RepeatedBytesIT extends UploadFixture {
    private static final Pattern SENT =
            Pattern.compile(
                    "TUS [0-9]+ [0-9a-f]+ resumed at 0, interrupted ([0-9]+), repeated ([0-9]+)");

    @TempDir Path here;

    @Test
    void put_connectionsAreCut_repeatsLittle() throws Exception {
        byte[] content = RangeServer.bytes(16_000_000, 5);
        Path file = Files.write(here.resolve("sent.bin"), content);
        CuttingProxy.Settings trouble = CuttingProxy.Settings.none(3).cutting(1_000_000, 4_000_000);
        ResumableUploads uploads = ResumableUploads.builder(directory).build();
        Server server = start(builder -> builder.receiveBuffer(65_536).group(BASE, uploads));
        try (uploads;
                RangeServer ranges = new RangeServer(new byte[10]);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            List<String> command =
                    ChildJvm.command(
                            List.of("-Xmx64m", "-Djdk.httpclient.sendBufferSize=65536"),
                            ClientProcess.class,
                            "1",
                            "http://127.0.0.1:" + proxy.port() + BASE,
                            file.toString(),
                            ranges.uri().toString(),
                            here.toString());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> lines = ClientProcess.lines(process);
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            Matcher sent =
                    SENT.matcher(
                            lines.stream()
                                    .filter(line -> line.startsWith("TUS"))
                                    .findFirst()
                                    .orElse(String.join("\n", lines)));
            assertThat(sent.matches()).as("%s", lines).isTrue();
            long interruptions = Long.parseLong(sent.group(1));
            assertThat(interruptions).isPositive();
            assertThat(Long.parseLong(sent.group(2)))
                    .as("%s", sent.group())
                    .isLessThanOrEqualTo(interruptions * 524_288);
        }
    }
}
