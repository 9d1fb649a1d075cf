package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.response.Problem;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An error that a handler makes. */
final class HttpExceptionTest {
    /** Found where it is set, not when the client is to be answered. */
    @ParameterizedTest
    @CsvSource({
        "content-length, 5, set by the server",
        "Date, now, set by the server",
        "Transfer-Encoding, chunked, set by the server",
        "a b, c, is not a token",
        "A, \u00e9, U+00E9",
    })
    void header_thatCannotBeSent_isRefusedAtOnce(String name, String value, String why) {
        assertThatThrownBy(() -> new HttpException(400, "no").header(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void document_ofAnException_hasItsTypeItsNullsAndWhatTheServerAdds() {
        HttpException exception =
                new HttpException(404, "gone")
                        .with("type", "urn:x:gone")
                        .with("hint", null)
                        .with("code", "mine");
        Map<String, @Nullable Object> further = new LinkedHashMap<>();
        further.put("code", "theirs");
        further.put("details", null);
        assertThat(Problem.of(exception, List.of(_ -> further)).document())
                .isEqualTo(
                        "{\"type\":\"urn:x:gone\",\"title\":\"Not Found\",\"status\":404,\"detail\":\"gone\","
                                + "\"hint\":null,\"code\":\"mine\",\"details\":null}");
        assertThat(Problem.of(new HttpException(404, "gone"), List.of()).document())
                .startsWith("{\"type\":\"about:blank\"");
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 1", "PT0.000000001S, 1", "PT1S, 1", "PT1.001S, 2", "PT2H, 7200"})
    void unavailable_forATime_saysItInWholeSeconds(Duration retryAfter, String seconds) {
        HttpException exception = HttpException.unavailable("busy", retryAfter);
        assertThat(exception.status()).isEqualTo(503);
        assertThat(exception.headers()).containsExactly(Map.entry("Retry-After", seconds));
        assertThatThrownBy(() -> HttpException.unavailable("busy", Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("after PT-0.000000001S, a negative time");
    }
}
