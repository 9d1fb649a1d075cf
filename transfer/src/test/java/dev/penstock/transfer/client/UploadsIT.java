package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.upload.UploadFixture;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The client with this module's own server of uploads. */
class UploadsIT extends UploadFixture {
    @TempDir Path here;
    private TransferClient sender;

    @BeforeEach
    void startClient() {
        sender =
                TransferClient.builder()
                        .stateDirectory(here.resolve("state"))
                        .backOff(Duration.ofMillis(1), Duration.ofMillis(20))
                        .build();
    }

    @AfterEach
    void closeClient() {
        sender.close();
    }

    private static URI uri(int port) {
        return URI.create("http://127.0.0.1:" + port + BASE);
    }

    private Source source(String kind, byte[] content) throws IOException {
        return switch (kind) {
            case "file" -> Source.file(Files.write(here.resolve("sent.bin"), content));
            case "stream" -> Source.stream(new ByteArrayInputStream(content));
            default -> Source.stream(new ByteArrayInputStream(content), content.length);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "TUS,file,0",
        "TUS,file,1",
        "TUS,file,65537",
        "TUS,file,2000000",
        "TUS,stream,0",
        "TUS,stream,65536",
        "TUS,stream,17000000",
        "TUS,sized,100000",
        "DRAFT,file,0",
        "DRAFT,file,1",
        "DRAFT,file,65537",
        "DRAFT,file,2000000",
        "DRAFT,stream,0",
        "DRAFT,stream,65536",
        "DRAFT,stream,17000000",
        "DRAFT,sized,100000"
    })
    void put_anyLength_arrives(UploadProtocol protocol, String kind, int length)
            throws IOException {
        byte[] content = RangeServer.bytes(length, length);
        Server server = serve();
        TransferOptions options = TransferOptions.DEFAULT.protocol(protocol).fileName("sent.bin");
        Receipt receipt = sender.put(source(kind, content), uri(server.port()), options);
        assertThat(Files.readAllBytes(directory.resolve("sent.bin"))).isEqualTo(content);
        assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
        assertThat(receipt.isVerified()).isEqualTo(protocol == UploadProtocol.DRAFT);
        assertThat(receipt.interruptions()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"TUS,file", "TUS,stream", "DRAFT,file", "DRAFT,stream"})
    void put_connectionsAreCutAgainAndAgain_arrives(UploadProtocol protocol, String kind)
            throws IOException {
        byte[] content = RangeServer.bytes(6_000_001, 5);
        Server server = serve();
        CuttingProxy.Settings trouble =
                CuttingProxy.Settings.none(21)
                        .cutting(500, 2_000_000)
                        .delaying(Duration.ofMillis(5));
        try (CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            TransferOptions options =
                    TransferOptions.DEFAULT.protocol(protocol).fileName("sent.bin").retries(200);
            Receipt receipt = sender.put(source(kind, content), uri(proxy.port()), options);
            assertThat(Files.readAllBytes(directory.resolve("sent.bin"))).isEqualTo(content);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(proxy.cuts()).isPositive();
        }
    }
}
