package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestCertificate;
import dev.penstock.transfer.upload.ResumableUploads;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transfers over TLS, by HTTP/1.1 and by HTTP/2. */
class Http2IT {
    @TempDir static Path shared;
    private static TestCertificate certificate;

    @TempDir Path directory;
    private final AtomicInteger downloads = new AtomicInteger();
    private ResumableUploads uploads;
    private Server server;
    private byte[] content = new byte[0];

    @BeforeAll
    static void makeCertificate() throws Exception {
        certificate = TestCertificate.make("EC", "localhost");
        certificate.write(shared.resolve("chain.pem"), shared.resolve("key.pem"));
    }

    @BeforeEach
    void startServer() throws Exception {
        uploads = ResumableUploads.builder(Files.createDirectory(directory.resolve("in"))).build();
        server =
                Server.builder()
                        .port(0)
                        .eventLoops(2)
                        .accessLog(false)
                        .tls(shared.resolve("chain.pem"), shared.resolve("key.pem"))
                        .group("/uploads", uploads)
                        .get(
                                "/file",
                                exchange -> {
                                    boolean isFirst = downloads.getAndIncrement() == 0;
                                    new RangeServer.Sending(content, "\"one\"")
                                            .send(
                                                    exchange,
                                                    isFirst ? content.length / 2 : Long.MAX_VALUE);
                                })
                        .start();
    }

    @AfterEach
    void stopServer() {
        server.close();
        uploads.close();
    }

    @ParameterizedTest
    @CsvSource({
        "false,TUS,100000",
        "true,TUS,0",
        "true,TUS,16385",
        "true,TUS,65537",
        "true,TUS,3000000",
        "false,DRAFT,100000",
        "true,DRAFT,1",
        "true,DRAFT,65536",
        "true,DRAFT,3000000"
    })
    void putAndGet_overTls_areWhole(boolean isHttp2, UploadProtocol protocol, int length)
            throws Exception {
        content = RangeServer.bytes(length, length);
        try (TransferClient client =
                TransferClient.builder()
                        .http2(isHttp2)
                        .tls(TestCertificate.trusting(certificate))
                        .stateDirectory(directory.resolve("state"))
                        .backOff(Duration.ofMillis(1), Duration.ofMillis(20))
                        .build()) {
            URI base = URI.create("https://localhost:" + server.port());
            put(client, base, protocol);
            Path target = directory.resolve("target.bin");
            client.get(base.resolve("/file"), target);
            assertThat(Files.readAllBytes(target)).isEqualTo(content);
            assertThat(downloads).hasValue(length == 0 ? 1 : 2);
        }
    }

    private void put(TransferClient client, URI base, UploadProtocol protocol) throws IOException {
        Path file = Files.write(directory.resolve("sent.bin"), content);
        Receipt receipt =
                client.put(
                        Source.file(file),
                        base.resolve("/uploads"),
                        TransferOptions.DEFAULT.protocol(protocol));
        assertThat(Files.readAllBytes(directory.resolve("in/sent.bin"))).isEqualTo(content);
        assertThat(receipt.protocol()).contains(protocol);
        assertThat(receipt.interruptions()).isZero();
    }
}
