package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseReaderTest {
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Load.Expected PAGE = new Load.Expected(0, 100, "</html>", "<tr", 2);

    private static ResponseReader read(Load.Expected expected, String response, int step) {
        ResponseReader reader = new ResponseReader(expected);
        reader.reset();
        byte[] bytes = response.getBytes(ISO_8859_1);
        boolean ended = false;
        for (int at = 0; at < bytes.length; at += step) {
            ended = reader.accept(ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at)));
        }
        if (!ended) {
            reader.endOfStream();
        }
        return reader;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void accept_chunkedPageCutAnywhere_isComplete(int step) {
        ResponseReader reader =
                read(PAGE, CHUNKED + "5\r\n<<tr>\r\nb;x=y\r\n<tr></html>\r\n0\r\n\r\n", step);

        assertThat(reader.failure()).isEmpty();
        assertThat(reader.bodyBytes()).isEqualTo(16);
    }

    @Test
    void accept_fixedLength_isComplete() {
        ResponseReader reader =
                read(
                        Load.Expected.ANYTHING,
                        "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc",
                        1000);

        assertThat(reader.failure()).isEmpty();
        assertThat(reader.closes()).isFalse();
    }

    @Test
    void endOfStream_bodyWithoutFraming_isComplete() {
        ResponseReader reader = read(PAGE, "HTTP/1.0 200 OK\r\n\r\n<tr><tr></html>", 1000);

        assertThat(reader.failure()).isEmpty();
        assertThat(reader.closes()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab",
                CHUNKED + "5\r\n<tr>",
                CHUNKED + "4\r\n<tr>\r\n",
                CHUNKED + "4\r\n<tr>\r\n0\r\n",
                "HTTP/1.1 200"
            })
    void endOfStream_tooEarly_isTruncated(String response) {
        assertThat(read(Load.Expected.ANYTHING, response, 1000).failure())
                .isIn("truncated", "closed without an answer");
    }

    @Test
    void accept_fewerRows_isWrong() {
        assertThat(read(PAGE, CHUNKED + "b\r\n<tr></html>\r\n0\r\n\r\n", 1000).failure())
                .isEqualTo("wrong number of rows");
    }

    @Test
    void accept_cleanEndInTheMiddle_isWrong() {
        assertThat(read(PAGE, CHUNKED + "8\r\n<tr><tr>\r\n0\r\n\r\n", 1000).failure())
                .isEqualTo("wrong end");
    }

    @Test
    void accept_wrongLength_isWrong() {
        Load.Expected exact = new Load.Expected(3, 4, "", "", 0);
        String head = "HTTP/1.1 200 OK\r\nContent-Length: ";

        assertThat(read(exact, head + "2\r\n\r\nab", 1000).failure()).isEqualTo("too short");
        assertThat(read(exact, head + "5\r\n\r\nabcde", 1000).failure()).isEqualTo("too long");
        assertThat(read(exact, head + "4\r\n\r\nabcd", 1000).failure()).isEmpty();
    }

    @Test
    void accept_errorStatus_isWrong() {
        String response = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

        assertThat(read(Load.Expected.ANYTHING, response, 1000).failure()).isEqualTo("status 503");
    }

    @Test
    void accept_noHttp_isWrong() {
        assertThat(read(Load.Expected.ANYTHING, "SSH-2.0\r\n", 1000).failure())
                .isEqualTo("not HTTP");
    }
}
