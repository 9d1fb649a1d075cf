package dev.penstock.transfer.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.ServerFixture;
import dev.penstock.transfer.CuttingProxy;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.TinyUploads.Speech;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PutIT extends TransferClientFixture {
    private static final int MIB = 1 << 20;

    private Path file(byte[] content) throws IOException {
        return Files.write(directory.resolve("source.bin"), content);
    }

    private URI target(TinyUploads server, Speech speech) {
        return speech == Speech.PLAIN ? server.uri().resolve("/plain/source.bin") : server.uri();
    }

    @ParameterizedTest
    @CsvSource({
        "TUS,0",
        "TUS,1",
        "TUS,16384",
        "TUS,32767",
        "TUS,32768",
        "TUS,32769",
        "TUS,65537",
        "TUS,524289",
        "TUS,3000000",
        "DRAFT,0",
        "DRAFT,1",
        "DRAFT,16385",
        "DRAFT,32768",
        "DRAFT,65536",
        "DRAFT,3000000",
        "DRAFT_3,0",
        "DRAFT_3,65535",
        "DRAFT_3,3000000",
        "PLAIN,0",
        "PLAIN,1",
        "PLAIN,32769",
        "PLAIN,524288",
        "PLAIN,3000000"
    })
    void put_fileOfAnyLength_arrives(Speech speech, int length) throws IOException {
        byte[] content = RangeServer.bytes(length, length);
        try (TinyUploads server = new TinyUploads(speech)) {
            Receipt receipt =
                    client.put(Source.file(file(content)), target(server, speech), options());
            assertThat(server.only().content()).isEqualTo(content);
            assertThat(server.only().isComplete).isTrue();
            assertThat(receipt.bytes()).isEqualTo(length);
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(receipt.protocol().map(UploadProtocol::name))
                    .contains(speech.name().replaceAll("_.*", ""));
            assertThat(receipt.repeatedBytes()).isZero();
            assertThat(directory.resolve("state"))
                    .satisfiesAnyOf(
                            d -> assertThat(d).doesNotExist(),
                            d -> assertThat(d).isDirectoryNotContaining("glob:**.upload"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TUS,0",
        "TUS,1",
        "TUS,32768",
        "TUS,100000",
        "TUS,20000000",
        "DRAFT,0",
        "DRAFT,20000000",
        "DRAFT_3,65537",
        "TUS_OF_KNOWN_LENGTH,100000",
        "PLAIN,100000"
    })
    void put_streamOfUnknownLength_arrives(Speech speech, int length) throws IOException {
        byte[] content = RangeServer.bytes(length, length);
        try (TinyUploads server = new TinyUploads(speech)) {
            boolean isPlain = speech == Speech.PLAIN || speech == Speech.TUS_OF_KNOWN_LENGTH;
            URI target = isPlain ? server.uri().resolve("/plain/stream") : server.uri();
            Receipt receipt =
                    client.put(Source.stream(new ByteArrayInputStream(content)), target, options());
            assertThat(server.only().content()).isEqualTo(content);
            assertThat(server.only().isComplete).isTrue();
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Speech.class,
            names = {"TUS", "DRAFT"})
    void put_generatedChunks_arrive(Speech speech) throws IOException {
        byte[] content = RangeServer.bytes(MIB, 7);
        Iterator<ByteBuffer> chunks =
                IntStream.range(0, 8)
                        .mapToObj(i -> ByteBuffer.wrap(content, i * MIB / 8, MIB / 8))
                        .iterator();
        try (TinyUploads server = new TinyUploads(speech)) {
            client.put(Source.chunks(chunks), server.uri(), options());
            assertThat(server.only().content()).isEqualTo(content);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TUS,file",
        "DRAFT,file",
        "DRAFT_3,file",
        "TUS,stream",
        "DRAFT,stream",
        "TUS,sized"
    })
    void put_connectionsAreCutAgainAndAgain_arrives(Speech speech, String kind) throws IOException {
        byte[] content = RangeServer.bytes(6 * MIB + 5, 3);
        CuttingProxy.Settings trouble =
                CuttingProxy.Settings.none(11).cutting(500, 2 * MIB).delaying(Duration.ofMillis(5));
        Source source =
                switch (kind) {
                    case "file" -> Source.file(file(content));
                    case "stream" -> Source.stream(new ByteArrayInputStream(content));
                    default -> Source.stream(new ByteArrayInputStream(content), content.length);
                };
        try (TinyUploads server = new TinyUploads(speech);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            Receipt receipt =
                    client.put(source, TinyUploads.uri(proxy.port()), options().retries(100));
            assertThat(server.uploads.values())
                    .anySatisfy(stored -> {
                        assertThat(stored.isComplete).isTrue();
                        assertThat(stored.content()).isEqualTo(content);
                    });
            assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            assertThat(proxy.cuts()).isPositive();
        }
    }

    @Test
    void put_callFails_nextCallGoesOnWhereTheServerIs() throws Exception {
        byte[] content = RangeServer.bytes(4 * MIB, 3);
        Path file = file(content);
        CuttingProxy.Settings trouble = CuttingProxy.Settings.none(1).cutting(2 * MIB, 2 * MIB);
        try (TinyUploads server = new TinyUploads(Speech.TUS);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            URI uri = TinyUploads.uri(proxy.port());
            assertThatThrownBy(() -> client.put(Source.file(file), uri, options().retries(0)))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("call it again to go on");
            // The server may still be taking in what has passed the proxy.
            ServerFixture.await("a half", () -> server.only().content().length >= MIB);
            int kept = server.only().content().length;
            assertThat(kept).isLessThanOrEqualTo(2 * MIB);
            try (TransferClient later = builder().build()) {
                Receipt receipt = later.put(Source.file(file), uri, options());
                assertThat(receipt.resumedAt()).isGreaterThanOrEqualTo(kept);
                assertThat(receipt.sha256()).contains(RangeServer.sha256(content));
            }
            assertThat(server.only().content()).isEqualTo(content);
        }
    }

    @Test
    void put_fileHasChangedBetweenCalls_isSentWhole() throws IOException {
        byte[] content = RangeServer.bytes(4 * MIB, 3);
        Path file = file(content);
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            // The answer to a body that is still being sent may be lost.
            for (int i = 0; i < 4; i++) {
                server.patches.add(exchange -> exchange.respond(403, "text/plain", "not now"));
            }
            assertThatThrownBy(() -> client.put(Source.file(file), server.uri(), options()))
                    .hasMessageContaining("403");
            server.patches.clear();
            byte[] other = RangeServer.bytes(MIB, 4);
            file(other);
            Receipt receipt = client.put(Source.file(file), server.uri(), options());
            assertThat(receipt.resumedAt()).isZero();
            assertThat(server.uploads).hasSize(2);
            assertThat(server.stored("2").content()).isEqualTo(other);
        }
    }

    @Test
    void put_serverForgetsTheUpload_startsAnew() throws IOException {
        byte[] content = RangeServer.bytes(MIB, 3);
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            server.patches.add(exchange -> {
                server.uploads.clear();
                exchange.respond(410, "text/plain", "gone");
            });
            client.put(Source.file(file(content)), server.uri(), options());
            assertThat(server.only().content()).isEqualTo(content);
            assertThat(events(TransferEvent.Restarted.class)).hasSize(1);
        }
    }

    @Test
    void put_serverIsBusy_waitsAsLongAsItAsks() throws IOException {
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            server.posts.add(exchange ->
                    exchange.header("Retry-After", "1").respond(503, "text/plain", "busy"));
            client.put(Source.file(file(new byte[100])), server.uri(), options());
            assertThat(events(TransferEvent.Retrying.class))
                    .singleElement()
                    .satisfies(retrying ->
                            assertThat(retrying.in())
                                    .isGreaterThanOrEqualTo(Duration.ofSeconds(1)));
        }
    }

    @Test
    void put_plainResponseIsLost_isNotRepeated() throws IOException {
        byte[] content = RangeServer.bytes(MIB / 2, 3);
        CuttingProxy.Settings trouble = CuttingProxy.Settings.none(1).cutting(MIB / 4, MIB / 4);
        try (TinyUploads server = new TinyUploads(Speech.PLAIN);
                CuttingProxy proxy = CuttingProxy.start(server.port(), trouble)) {
            URI uri = URI.create("http://127.0.0.1:" + proxy.port() + "/plain/a");
            assertThatThrownBy(() -> client.put(Source.file(file(content)), uri, options()))
                    .isInstanceOfSatisfying(
                            TransferException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.FAILED))
                    .hasMessageContaining("Whether it has arrived is not known");
            assertThat(server.requests.stream().filter(r -> r.startsWith("PUT")))
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void put_plainIsRefusedForNow_isRepeated() throws IOException {
        byte[] content = RangeServer.bytes(2 * MIB, 3);
        try (TinyUploads server = new TinyUploads(Speech.PLAIN)) {
            server.posts.add(exchange -> exchange.respond(503, "text/plain", "busy"));
            client.put(Source.file(file(content)), server.uri().resolve("/plain/"), options());
            assertThat(server.stored("source.bin").content()).isEqualTo(content);
        }
    }

    @Test
    void put_serverRefusesBody_namesReason() throws IOException {
        byte[] content = RangeServer.bytes(8 * MIB, 3);
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            for (int i = 0; i < 4; i++) {
                server.patches.add(exchange ->
                        exchange.respond(
                                413,
                                "application/problem+json",
                                "{\"detail\":\"At most 5 bytes\"}"));
            }
            assertThatThrownBy(
                            () -> client.put(Source.file(file(content)), server.uri(), options()))
                    .isInstanceOfSatisfying(
                            TransferException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE))
                    .hasMessageContaining("status 413: At most 5 bytes");
        }
    }

    @Test
    void put_token_isSent() throws IOException {
        try (TinyUploads server = new TinyUploads(Speech.TUS);
                TransferClient known = builder().token("secret").build()) {
            server.token = java.util.Optional.of("secret");
            Path file = file(new byte[100]);
            known.put(Source.file(file), server.uri(), options());
            assertThatThrownBy(() -> client.put(Source.file(file), server.uri(), options()))
                    .hasMessageContaining("401")
                    .hasMessageContaining("give the client the token");
        }
    }

    @Test
    void put_streamThatFails_isNotRetried() {
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            var failing =
                    new java.io.InputStream() {
                        private int left = 3;

                        @Override
                        public int read() throws IOException {
                            throw new IOException("the disk is broken");
                        }

                        @Override
                        public int read(byte[] bytes, int from, int length) throws IOException {
                            if (--left == 0) {
                                return read();
                            }
                            Arrays.fill(bytes, from, from + length, (byte) 1);
                            return length;
                        }
                    };
            assertThatThrownBy(() -> client.put(Source.stream(failing), server.uri(), options()))
                    .isInstanceOf(TransferException.class)
                    .hasMessageContaining("can't be read at byte 65536: the disk is broken");
        }
    }

    @Test
    void put_streamShorterThanAnnounced_fails() {
        try (TinyUploads server = new TinyUploads(Speech.TUS)) {
            Source source = Source.stream(new ByteArrayInputStream(new byte[99_999]), 100_000);
            assertThatThrownBy(() -> client.put(source, server.uri(), options()))
                    .isInstanceOfSatisfying(
                            TransferException.class,
                            e -> assertThat(e.kind()).isEqualTo(Kind.LENGTH_MISMATCH));
        }
    }
}
