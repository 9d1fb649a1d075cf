package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExchangeTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b?c=d#e", "/a//b", "/.//b", "/%0D"})
    void isLocalPath_ofPathsHere_isTrue(String location) {
        assertThat(Exchange.isLocalPath(location)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "//evil.example",
                "/\\evil.example",
                "\\\\evil.example",
                "https://evil.example",
                "javascript:alert(1)",
                "/\t/evil.example",
                "/\n/evil.example",
                " /a",
                "/a b",
                "/ü"
            })
    void isLocalPath_ofAnythingElse_isFalse(String location) {
        assertThat(Exchange.isLocalPath(location)).isFalse();
    }
}
