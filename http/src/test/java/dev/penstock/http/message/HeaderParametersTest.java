package dev.penstock.http.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.MediaType;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderParametersTest {
    private static Map<String, String> parameters(String header) {
        return HeaderParameters.parse(header).parameters();
    }

    @Test
    void parse_wholeHeaders_givesTheirParameters() {
        assertThat(HeaderParameters.parse("text/plain"))
                .isEqualTo(new HeaderParameters("text/plain", Map.of()));
        assertThat(parameters("a; b=c ;D=\"e;f\"\t; ")).isEqualTo(Map.of("b", "c", "d", "e;f"));
        assertThat(parameters("a;; ;b=c;")).isEqualTo(Map.of("b", "c"));
        assertThat(parameters("a;b=")).isEqualTo(Map.of("b", ""));
        assertThat(parameters("a;b=\"\"")).isEqualTo(Map.of("b", ""));
        assertThat(parameters("a;b=\"c\\\"d\\\\e\\f\"")).isEqualTo(Map.of("b", "c\"d\\e\\f"));
        assertThat(parameters("a;b=two words")).isEqualTo(Map.of("b", "two words"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a;b",
                "a;=c",
                "a;b =c",
                "a;b= c",
                "a;b=\"c",
                "a;b=\"c\\\"",
                "a;b=\"c\"d",
                "a;b=c\"d\"",
                "a;b;c=d",
                "a;b=c;b=d",
                "a;b=c;B=d",
                "a;ä=b",
                "a;b c=d"
            })
    void parse_malformedHeaders_isRefused(String header) {
        assertThatThrownBy(() -> HeaderParameters.parse(header))
                .isInstanceOf(HeaderParameters.Malformed.class)
                .hasMessageContaining("parameter");
    }

    @Test
    void mediaType_whole_isReadInLowerCase() {
        MediaType type = MediaType.parse("Text/CSV; Charset=UTF-8");
        assertThat(type.name()).isEqualTo("text/csv");
        assertThat(type.charset()).contains(StandardCharsets.UTF_8);
        assertThat(type.isJson()).isFalse();
        assertThat(MediaType.parse("application/problem+json").isJson()).isTrue();
        assertThat(MediaType.parse("Application/JSON").isJson()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "/",
                "text/",
                "/csv",
                "text/a b",
                "text/a/b",
                "te xt/a",
                "text/ä",
                ";a=b"
            })
    void mediaType_malformed_isRefused(String type) {
        assertThatThrownBy(() -> MediaType.parse(type))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("No media type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"klingon", "", "a b", "\u00fc"})
    void charset_unknown_isNamed(String charset) {
        MediaType type = MediaType.parse("text/plain;charset=\"" + charset + "\"");
        assertThatThrownBy(type::charset)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not known here");
    }
}
