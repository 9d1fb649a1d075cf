package dev.penstock.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedTypesTest {
    private static String best(String accept, String... offers) {
        return AcceptedTypes.of(List.of(accept)).best(List.of(offers)).orElse("none");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html | text/html",
                "TEXT/html;level=1 | text/html",
                "text/html;q=0.5, application/json | application/json",
                "text/html;q=0.5, */*;q=0.4 | text/html",
                "*/* | application/json",
                "* | application/json",
                "text/*, application/json;q=0.9 | text/html",
                "text/*;q=0.9, text/html;q=0 | none",
                "text/html;q=0.2, text/html;q=0.8, application/json;q=0.5 | text/html",
                "application/json;q=0 | none",
                "application/json;q=2 | none",
                "image/png | none",
                "'' | application/json",
                "', ,' | application/json",
                "text | none",
                "text/htm | none",
            })
    void best_ofWhatIsOffered_isWhatTheClientPrefers(String accept, String expected) {
        assertThat(best(accept, "application/json", "text/html; charset=utf-8"))
                .startsWith(expected);
    }

    @Test
    void elements_beyondAHundred_areLeftOut() {
        String hundred = "a/b, ".repeat(100);
        assertThat(best(hundred + "text/html", "text/html")).isEqualTo("none");
        assertThat(best(hundred.substring(5) + "text/html", "text/html")).isEqualTo("text/html");
    }

    @Test
    void headers_absent_takeTheFirst() {
        assertThat(AcceptedTypes.of(List.of()).best(List.of("a/b", "c/d"))).contains("a/b");
    }
}
