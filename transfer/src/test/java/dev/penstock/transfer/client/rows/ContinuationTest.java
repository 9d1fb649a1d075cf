package dev.penstock.transfer.client.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContinuationTest {
    @Test
    void written_difficultValues_areQuoted() {
        List<Optional<String>> values =
                List.of(
                        Optional.of("A \"b\" \\"),
                        Optional.empty(),
                        Optional.of("null"),
                        Optional.of("NULL"),
                        Optional.of(""),
                        Optional.of("-5.5"),
                        Optional.of("a,b)"));
        assertThat(Continuation.written(values))
                .isEqualTo("(\"A \\\"b\\\" \\\\\",null,\"null\",\"NULL\",\"\",-5.5,\"a,b)\")");
    }

    @Test
    void after_queryWithPage_countsWhatCame() {
        URI uri =
                URI.create(
                        "http://h/api/film?select=a,film_id&order=a.desc&limit=100&offset=7&after=(1)&x=%20");
        assertThat(Continuation.after(uri, List.of(Optional.of("a b"), Optional.of("3")), 40))
                .hasToString(
                        "http://h/api/film?select=a,film_id&order=a.desc&limit=60&x=%20&after=%28%22a%20b%22%2C3%29");
    }

    @Test
    void after_noQuery_hasOne() {
        assertThat(
                        Continuation.after(
                                URI.create("http://h/api/film"), List.of(Optional.of("3")), 40))
                .hasToString("http://h/api/film?after=%283%29");
    }

    @Test
    void columns_encodedNames_areDecoded() {
        assertThat(Continuation.columns("der%20Titel, a%2Cb,c+d"))
                .containsExactly("der Titel", "a,b", "c+d");
    }
}
