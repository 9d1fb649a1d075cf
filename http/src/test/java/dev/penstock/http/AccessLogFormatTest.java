package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lines that say what was, and nothing else, whatever a client has sent. */
final class AccessLogFormatTest {
    private static final Instant TIME = Instant.parse("2026-11-22T12:00:00.123456Z");

    private record Request(String method, String path, @Nullable String route, String agent)
            implements FinishedRequest {
        @Override
        public String remoteAddress() {
            return "198.51.100.1";
        }

        @Override
        public String protocol() {
            return "HTTP/1.1";
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public long bytesSent() {
            return 4711;
        }

        @Override
        public long durationNanos() {
            return 12_345_678;
        }

        @Override
        public long queuedNanos() {
            return 50_000;
        }

        @Override
        public Ending ending() {
            return Ending.CLIENT_GONE;
        }

        @Override
        public Optional<String> header(String name) {
            return name.equals("User-Agent") ? Optional.of(agent) : Optional.empty();
        }
    }

    @Test
    void text_ordinaryRequest_isWords() {
        Request request = new Request("GET", "/api/film", "/api/{table}", "curl/8");
        assertThat(AccessLogFormat.TEXT.line(TIME, request))
                .isEqualTo(
                        "2026-11-22T12:00:00.123Z 198.51.100.1 GET /api/film 200 4711 12.3ms client-gone");
    }

    @Test
    void json_ordinaryRequest_isAnObjectInThisOrder() {
        Request request = new Request("GET", "/api/film", "/api/{table}", "curl/8");
        assertThat(AccessLogFormat.JSON.line(TIME, request))
                .isEqualTo(
                        "{\"time\":\"2026-11-22T12:00:00.123Z\",\"client\":\"198.51.100.1\","
                                + "\"method\":\"GET\",\"path\":\"/api/film\","
                                + "\"route\":\"/api/{table}\",\"protocol\":\"HTTP/1.1\",\"status\":200,"
                                + "\"bytes\":4711,\"millis\":12.3,\"queuedMillis\":0.0,"
                                + "\"ending\":\"client-gone\",\"userAgent\":\"curl/8\"}");
    }

    @Test
    void lines_ofHostileText_stayOneLineOfAsciiWithTheirFields() {
        StringBuilder all = new StringBuilder();
        for (char c = 0; c < 0x300; c++) {
            all.append(c);
        }
        all.append("\u2028\u202e\ud800");
        Request request = new Request("G\nT", "/" + all, null, "\"}\n{\"a\":\"" + all);
        for (AccessLogFormat format : AccessLogFormat.values()) {
            String line = format.line(TIME, request);
            assertThat(line).as(format.name()).matches("[ -~]+");
        }
        String json = AccessLogFormat.JSON.line(TIME, request);
        assertThat(json)
                .startsWith("{\"time\"")
                .endsWith("\"}")
                .contains("\"method\":\"G\\u000aT\"")
                .contains("\"userAgent\":\"\\\"}\\u000a{\\\"a\\\":\\\"\\u0000\\u0001")
                .contains("..\",\"protocol\"");
        assertThat(json.length()).isLessThan(7000);
        assertThat(AccessLogFormat.TEXT.line(TIME, request).split(" ", -1)).hasSize(8);
    }
}
