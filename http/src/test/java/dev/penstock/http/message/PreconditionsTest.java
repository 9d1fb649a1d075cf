package dev.penstock.http.message;

import static dev.penstock.http.message.Preconditions.Outcome.FAILED;
import static dev.penstock.http.message.Preconditions.Outcome.NOT_MODIFIED;
import static dev.penstock.http.message.Preconditions.Outcome.PROCEED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.message.Preconditions.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreconditionsTest {
    private static final Instant TIME = Instant.parse("2026-07-01T10:00:00Z");
    private static final String DATE = "Wed, 01 Jul 2026 10:00:00 GMT";
    private static final String BEFORE = "Wed, 01 Jul 2026 09:59:59 GMT";

    private static Outcome check(boolean reads, @Nullable String tag, String... headers) {
        return Preconditions.check(
                name -> {
                    for (int i = 0; i < headers.length; i += 2) {
                        if (headers[i].equals(name)) {
                            return List.of(headers[i + 1]);
                        }
                    }
                    return List.of();
                },
                reads,
                tag,
                tag == null ? null : TIME);
    }

    @Test
    void ifNoneMatch_ofTheVersion_isNotModifiedOrFails() {
        assertThat(check(true, "\"a\"", "If-None-Match", "\"a\"")).isEqualTo(NOT_MODIFIED);
        assertThat(check(true, "\"a\"", "If-None-Match", "\"x\", W/\"a\"")).isEqualTo(NOT_MODIFIED);
        assertThat(check(true, "W/\"a\"", "If-None-Match", "\"a\"")).isEqualTo(NOT_MODIFIED);
        assertThat(check(true, "\"a\"", "If-None-Match", "*")).isEqualTo(NOT_MODIFIED);
        assertThat(check(false, "\"a\"", "If-None-Match", "\"a\"")).isEqualTo(FAILED);
        assertThat(check(true, "\"a\"", "If-None-Match", "\"b\"")).isEqualTo(PROCEED);
        assertThat(check(true, "\"a\"", "If-None-Match", "a")).isEqualTo(PROCEED);
        // Its time then does not count.
        assertThat(check(true, "\"a\"", "If-None-Match", "\"b\"", "If-Modified-Since", DATE))
                .isEqualTo(PROCEED);
    }

    @Test
    void ifMatch_ofAnotherVersion_fails() {
        assertThat(check(false, "\"a\"", "If-Match", "\"b\"")).isEqualTo(FAILED);
        assertThat(check(false, "\"a\"", "If-Match", "\"b\", \"a\"")).isEqualTo(PROCEED);
        assertThat(check(false, "\"a\"", "If-Match", "*")).isEqualTo(PROCEED);
        assertThat(check(false, "W/\"a\"", "If-Match", "W/\"a\"")).isEqualTo(FAILED);
        assertThat(check(true, "\"a\"", "If-Match", "\"a\"", "If-Unmodified-Since", BEFORE))
                .isEqualTo(PROCEED);
    }

    @Test
    void nothingYet_isMadeOnlyOnce() {
        assertThat(check(false, null, "If-None-Match", "*")).isEqualTo(PROCEED);
        assertThat(check(false, null, "If-Match", "*")).isEqualTo(FAILED);
        assertThat(check(false, null, "If-Match", "\"a\"")).isEqualTo(FAILED);
    }

    @Test
    void times_decideToTheSecond() {
        assertThat(check(true, "\"a\"", "If-Modified-Since", DATE)).isEqualTo(NOT_MODIFIED);
        assertThat(check(true, "\"a\"", "If-Modified-Since", BEFORE)).isEqualTo(PROCEED);
        assertThat(check(false, "\"a\"", "If-Modified-Since", DATE)).isEqualTo(PROCEED);
        assertThat(check(true, "\"a\"", "If-Modified-Since", "yesterday")).isEqualTo(PROCEED);
        assertThat(check(false, "\"a\"", "If-Unmodified-Since", BEFORE)).isEqualTo(FAILED);
        assertThat(check(false, "\"a\"", "If-Unmodified-Since", DATE)).isEqualTo(PROCEED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "\"",
                "\"a",
                "a\"",
                "\"a\"b\"",
                "\"a b\"",
                "\"ä\"",
                "W/a",
                "w/\"a\"",
                "\"a\\\"",
                "\"a\n\""
            })
    void isTag_ofOtherTexts_isFalse(String text) {
        assertThat(Preconditions.isTag(text)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\"a\"", "W/\"a\"", "W/\"\""})
    void isTag_ofTags_isTrue(String text) {
        assertThat(Preconditions.isTag(text)).isTrue();
    }
}
