package dev.penstock.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** HEAD over HTTP/2, which Tomcat ends without a head where the response has a listener. */
@Timeout(120)
final class TomcatHeadTest {
    @Test
    void head_overHttp2_isAnswered() throws Exception {
        Running at =
                Container.TOMCAT.start(
                        Container.builder()
                                .accessLog(false)
                                .get("/", x -> x.respond(200, "text/plain", "hello")),
                        "/*",
                        60_000);
        try {
            int tries = 1;
            while (!isAnswered(at)) {
                assertThat(++tries).isLessThan(5);
            }
        } finally {
            at.stopAll();
        }
    }

    /** Returns false for no answer: Tomcat leaves one of hundreds of connections without. */
    private static boolean isAnswered(Running at) throws IOException {
        try (TestClient client = Protocol.HTTP_2.connect(at.port())) {
            Reply head = client.send("HEAD", "/").reply();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Type")).contains("text/plain");
            assertThat(head.header("Content-Length")).contains("5");
            assertThat(head.body()).isEmpty();
            return true;
        } catch (SocketTimeoutException _) {
            return false;
        }
    }
}
