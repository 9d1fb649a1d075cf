package dev.penstock.http.servlet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.aayushatharva.brotli4j.decoder.Decoder;
import com.github.luben.zstd.ZstdInputStream;
import dev.penstock.http.Exchange;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Compressed responses, wherever handlers run, over each protocol. */
@Timeout(120)
@ParameterizedClass
@MethodSource("dev.penstock.http.servlet.Container#overEachProtocol")
final class CompressionConformanceTest {
    private static final String[] CODINGS = {"zstd", "br", "gzip"};

    private static final byte[] TEXT = text(700_001);

    private final Container container;
    private final Protocol protocol;
    private final BlockingQueue<String> goOn = new LinkedBlockingQueue<>();
    private Running at;

    CompressionConformanceTest(Container container, Protocol protocol) {
        this.container = container;
        this.protocol = protocol;
    }

    @BeforeEach
    void start() throws Exception {
        at =
                container.start(
                        Container.builder()
                                .accessLog(false)
                                .stopWithin(Duration.ofSeconds(5))
                                .get("/of/{length}", CompressionConformanceTest::text)
                                .get("/rows", CompressionConformanceTest::rows)
                                .get("/waits", this::waits)
                                .get("/breaks", CompressionConformanceTest::breaks),
                        "/app/*",
                        60_000);
    }

    @AfterEach
    void stop() throws Exception {
        at.stopAll();
    }

    private static byte[] text(int length) {
        Random random = new Random(11);
        StringBuilder text = new StringBuilder();
        while (text.length() < length) {
            text.append(random.nextInt(100_000)).append(",some words,").append(random.nextInt(9));
        }
        return text.substring(0, length).getBytes(UTF_8);
    }

    private static void text(Exchange exchange) {
        int length = Integer.parseInt(exchange.pathParameter("length"));
        exchange.respond(200, "text/plain", Arrays.copyOf(TEXT, length));
    }

    private static void rows(Exchange exchange) throws IOException {
        ResponseBody body = exchange.header("ETag", "\"a\"").body("text/csv");
        Random random = new Random(5);
        for (int from = 0; from < TEXT.length; ) {
            int length = Math.min(TEXT.length - from, 1 + random.nextInt(70_000));
            body.write(ByteBuffer.wrap(TEXT, from, length));
            from += length;
            if (random.nextInt(4) == 0) {
                body.flush();
            }
        }
    }

    private void waits(Exchange exchange) throws Exception {
        ResponseBody body = exchange.body("text/csv");
        body.write(ByteBuffer.wrap(TEXT, 0, 10_000));
        body.flush();
        goOn.take();
        body.write(ByteBuffer.wrap(TEXT, 10_000, 1));
    }

    private static void breaks(Exchange exchange) throws IOException {
        ResponseBody body = exchange.body("text/csv");
        body.write(ByteBuffer.wrap(TEXT));
        body.flush();
        throw new IOException("on purpose");
    }

    private static byte[] decode(String coding, byte[] bytes) throws IOException {
        if (coding.equals("br")) {
            // The stream of the library takes some whole ones for cut off, and waits for more than
            // it needs.
            return Decoder.decompress(bytes).getDecompressedData();
        }
        try (InputStream decoded = decoding(coding, new ByteArrayInputStream(bytes))) {
            return decoded.readAllBytes();
        }
    }

    private static InputStream decoding(String coding, InputStream in) throws IOException {
        return coding.equals("zstd") ? new ZstdInputStream(in) : new GZIPInputStream(in);
    }

    private Reply get(String path, String accepted) throws IOException {
        try (TestClient client = protocol.connect(at.port())) {
            return client.get(at.path(path), "Accept-Encoding", accepted).reply();
        }
    }

    @Test
    void response_ofAnyLength_isDecodedAsItWas() throws Exception {
        for (String coding : CODINGS) {
            for (int length : new int[] {5_000, 16_384, 16_385, 32_769, 65_537, 300_000}) {
                Reply reply = get("/of/" + length, coding);
                assertThat(reply.header("Content-Encoding")).contains(coding);
                assertThat(reply.header("Vary")).contains("Accept-Encoding");
                assertThat(reply.body().length).isLessThan(length * 2 / 3);
                assertThat(decode(coding, reply.body())).isEqualTo(Arrays.copyOf(TEXT, length));
            }
            Reply rows = get("/rows", coding);
            assertThat(rows.header("Content-Encoding")).contains(coding);
            assertThat(rows.header("ETag")).contains("W/\"a\"");
            assertThat(decode(coding, rows.body())).isEqualTo(TEXT);
        }
    }

    @Test
    void coding_isTheOneThatTheClientPrefers() throws Exception {
        String[][] cases = {
            {"gzip, deflate, br, zstd", "zstd"},
            {"gzip, br", "br"},
            {"zstd;q=0.5, br;q=0.6", "br"},
            {"gzip, zstd;q=0", "gzip"},
            {"deflate", null},
            {"identity", null}
        };
        for (String[] each : cases) {
            Reply reply = get("/of/20000", each[0]);
            assertThat(reply.header("Content-Encoding").orElse(null)).isEqualTo(each[1]);
        }
    }

    @Test
    void flush_inTheMiddle_bringsOutWhatWasWritten() throws Exception {
        for (String coding : new String[] {"zstd", "gzip"}) {
            try (TestClient client = protocol.connect(at.port())) {
                client.get(at.path("/waits"), "Accept-Encoding", coding);
                assertThat(client.head().header("Content-Encoding")).contains(coding);
                InputStream in = decoding(coding, client.body());
                assertThat(in.readNBytes(10_000)).isEqualTo(Arrays.copyOf(TEXT, 10_000));
                goOn.add("on");
                assertThat(in.readAllBytes()).containsExactly(TEXT[10_000]);
            }
        }
    }

    @Test
    void failure_inTheMiddle_isNeverTakenForTheEnd() throws Exception {
        for (String coding : CODINGS) {
            try (TestClient client = protocol.connect(at.port())) {
                client.get(at.path("/breaks"), "Accept-Encoding", coding);
                assertThat(client.head().header("Content-Encoding")).contains(coding);
                assertThatThrownBy(() -> client.body().readAllBytes())
                        .isInstanceOf(IOException.class)
                        .isNotInstanceOf(SocketTimeoutException.class);
            }
        }
    }
}
