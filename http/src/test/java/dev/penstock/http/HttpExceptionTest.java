package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
