package dev.penstock.http.compression;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStream;
import dev.penstock.http.ContentCoder;
import dev.penstock.http.server.CompressibleBodies;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.ServiceLoader;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses as zstd and brotli, decoded by the same libraries. */
@Timeout(120)
final class NativeCodersIT extends ServerFixture {

    private Server server() {
        return start(b ->
                b.get("/small", x -> x.respond(200, "text/plain", CompressibleBodies.text(5000)))
                        .get(
                                "/noise",
                                x -> x.respond(200, "text/plain", CompressibleBodies.noise(20_000)))
                        .get("/large", x -> x.respond(200, "text/html", CompressibleBodies.LARGE))
                        .get("/rows", CompressibleBodies::writePieces));
    }

    private static Reply get(Server server, String path, String accept) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nAccept-Encoding: " + accept);
            return client.send("\r\n\r\n").reply();
        }
    }

    private static byte[] decode(String coding, byte[] bytes) throws IOException {
        InputStream in = new ByteArrayInputStream(bytes);
        try (InputStream decoded =
                switch (coding) {
                    case "zstd" -> new ZstdInputStream(in);
                    case "br" -> new BrotliInputStream(in);
                    default -> new GZIPInputStream(in);
                }) {
            return decoded.readAllBytes();
        }
    }

    @Test
    void coders_ofThisModule_areServices() {
        List<String> codings =
                ServiceLoader.load(ContentCoder.class).stream()
                        .map(provider -> provider.get().coding())
                        .toList();
        assertThat(codings).containsExactly("zstd", "br");
        assertThat(new ZstdCoder().isAvailable()).isTrue();
        assertThat(new BrotliCoder().isAvailable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "'gzip, deflate, br, zstd', zstd",
        "'gzip, br', br",
        "'zstd;q=0.5, br;q=0.6', br",
        "'gzip, zstd;q=0', gzip",
        "'*', gzip"
    })
    void response_ofAnyKind_isDecodedAsItWas(String accept, String coding) throws Exception {
        Server server = server();
        for (int i = 0; i < 20; i++) {
            for (String path : new String[] {"/small", "/large", "/rows"}) {
                Reply reply = get(server, path, accept);
                assertThat(reply.header("Content-Encoding")).contains(coding);
                assertThat(reply.header("Vary")).contains("Accept-Encoding");
                byte[] expected =
                        path.equals("/small")
                                ? CompressibleBodies.text(5000)
                                : CompressibleBodies.LARGE;
                assertThat(reply.body().length).isLessThan(expected.length * 2 / 3);
                assertThat(decode(coding, reply.body())).as(path).isEqualTo(expected);
            }
        }
        Reply noise = get(server, "/noise", accept);
        assertThat(noise.header("Content-Encoding")).isEmpty();
        assertThat(noise.body()).isEqualTo(CompressibleBodies.noise(20_000));
    }

    /** On both sides of the buffers through which it goes. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8191, 8192, 8193, 16_384, 32_768, 65_535, 65_537, 131_073})
    void bytes_ofAnyLength_areEncodedAsTheyAre(int length) throws Exception {
        for (ContentCoder coder : new ContentCoder[] {new ZstdCoder(), new BrotliCoder()}) {
            for (byte[] bytes :
                    new byte[][] {
                        CompressibleBodies.text(length),
                        CompressibleBodies.noise(length),
                        new byte[length]
                    }) {
                ByteArrayOutputStream encoded = new ByteArrayOutputStream();
                ContentCoder.Output output =
                        part -> {
                            byte[] taken = new byte[part.remaining()];
                            part.get(taken);
                            encoded.writeBytes(taken);
                        };
                try (ContentCoder.Encoder encoder = coder.open()) {
                    int step = Math.max(1, Math.min(length / 3, 32 * 1024));
                    for (int at = 0; at < length; at += step) {
                        int count = Math.min(step, length - at);
                        encoder.write(ByteBuffer.wrap(bytes, at, count), output);
                        encoder.flush(output);
                    }
                    encoder.finish(output);
                }
                assertThat(decode(coder.coding(), encoded.toByteArray())).isEqualTo(bytes);
            }
        }
    }

    /** What is flushed has left the encoder, though more is to come. */
    @Test
    void flush_inTheMiddle_bringsOutAllThatWasWritten() throws Exception {
        for (ContentCoder coder : new ContentCoder[] {new ZstdCoder(), new BrotliCoder()}) {
            ByteArrayOutputStream encoded = new ByteArrayOutputStream();
            ContentCoder.Output output =
                    part -> {
                        byte[] taken = new byte[part.remaining()];
                        part.get(taken);
                        encoded.writeBytes(taken);
                    };
            try (ContentCoder.Encoder encoder = coder.open()) {
                encoder.write(ByteBuffer.wrap(CompressibleBodies.text(10_000)), output);
                encoder.flush(output);
                int flushed = encoded.size();
                encoder.finish(output);
                assertThat(decode(coder.coding(), encoded.toByteArray()))
                        .isEqualTo(CompressibleBodies.text(10_000));
                // Nothing but the end came after it.
                assertThat(encoded.size() - flushed).isBetween(1, 8);
            }
        }
    }

    /** What follows a broken response is encoded with the same settings, whether or not an encoder is used again. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void encoder_afterABrokenResponse_encodesLikeANewOne(boolean wrote) throws Exception {
        // More than the window, and with what repeats farther away than it reaches.
        byte[] block = CompressibleBodies.noise(20_000);
        byte[] bytes = new byte[5 * block.length];
        for (int at = 0; at < bytes.length; at += block.length) {
            System.arraycopy(block, 0, bytes, at, block.length);
        }
        ZstdCoder coder = new ZstdCoder();
        byte[] expected = encode(coder, bytes);
        assertThat(expected.length).isGreaterThan(4 * block.length);
        for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors() + 1; i++) {
            try (ContentCoder.Encoder broken = coder.open()) {
                if (wrote) {
                    broken.write(ByteBuffer.wrap(bytes, 0, 20_000), _ -> {});
                } else {
                    broken.flush(_ -> {});
                }
            }
            byte[] encoded = encode(coder, bytes);
            assertThat(encoded).isEqualTo(expected);
            assertThat(decode("zstd", encoded)).isEqualTo(bytes);
        }
    }

    private static byte[] encode(ContentCoder coder, byte[] bytes) throws IOException {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (ContentCoder.Encoder encoder = coder.open()) {
            ContentCoder.Output output =
                    part -> {
                        byte[] taken = new byte[part.remaining()];
                        part.get(taken);
                        encoded.writeBytes(taken);
                    };
            encoder.write(ByteBuffer.wrap(bytes), output);
            encoder.finish(output);
        }
        return encoded.toByteArray();
    }
}
