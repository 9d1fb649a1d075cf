package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import org.junit.jupiter.api.Test;

final class ResourceIT extends ServerFixture {
    private static Reply get(Server server, String header) throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            return client.send("GET /p HTTP/1.1\r\nHost: x\r\n" + header + "\r\n").reply();
        }
    }

    @Test
    void resource_isSentOnceAndKnownAfterwards() throws Exception {
        Resource page = Resource.of(ResourceIT.class, "ResourceIT.class", "x/class");
        Server server = start(b -> b.get("/p", page));
        Reply first = get(server, "");
        assertThat(first.body()).startsWith(0xca, 0xfe, 0xba, 0xbe);
        assertThat(first.header("X-Content-Type-Options")).contains("nosniff");
        String tag = first.header("ETag").orElseThrow();
        String modified = first.header("Last-Modified").orElseThrow();
        assertThat(get(server, "If-None-Match: \"a\", W/" + tag + "\r\n").status()).isEqualTo(304);
        assertThat(get(server, "If-Modified-Since: " + modified + "\r\n").status()).isEqualTo(304);
        assertThat(
                        get(
                                        server,
                                        "If-None-Match: \"a\"\r\nIf-Modified-Since: "
                                                + modified
                                                + "\r\n")
                                .status())
                .isEqualTo(200);
    }

    @Test
    void resource_missing_isToldWhenItIsMade() {
        assertThatThrownBy(() -> Resource.of(ResourceIT.class, "none.html"))
                .hasMessageContaining("There is no file 'none.html'");
    }
}
