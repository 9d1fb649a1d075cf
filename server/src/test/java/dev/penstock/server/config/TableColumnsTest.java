package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableColumnsTest {
    @Test
    void parse_tablesWithAndWithoutColumns_splitsAtCommasOutsideOfParentheses() {
        assertThat(MemoryOptions.tables(List.of("film(film_id, title,length),actor", "staff")))
                .containsExactly(
                        new TableColumns("film", List.of("film_id", "title", "length")),
                        new TableColumns("actor", List.of()),
                        new TableColumns("staff", List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "film(; --accelerate film( is no list of tables: write it like film,actor or"
                        + " 'film(film_id,title),actor'",
                "film,,actor; --accelerate film,,actor is no list of tables: write it like film,actor or"
                        + " 'film(film_id,title),actor'",
                "film)a; --accelerate film)a is no list of tables: write it like film,actor or"
                        + " 'film(film_id,title),actor'",
                "film(a)b; --accelerate film(a)b is no list of tables: write it like film,actor or"
                        + " 'film(film_id,title),actor'",
                "film(a,,b); --accelerate film(a,,b) has a column without a name: name each once, between"
                        + " commas",
                "film(); --accelerate film() has a column without a name: name each once, between commas",
                "film(a,a); --accelerate film(a,a) has a column a twice: name each once, between commas",
                "film(a),film; --accelerate names table film twice: name it once, with all its columns"
            })
    void parse_whatIsNoList_isRefused(String text, String message) {
        assertThatThrownBy(() -> MemoryOptions.tables(List.of(text)))
                .isInstanceOf(StartupException.class)
                .hasMessage(message);
    }

    @Test
    void indexes_ofOneTable_mayBeSeveral() {
        assertThat(MemoryOptions.indexes(List.of("film(length),film(rating, length)")))
                .containsExactly(
                        new TableColumns("film", List.of("length")),
                        new TableColumns("film", List.of("rating", "length")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '"',
            value = {
                "film(a; --index film(a is no list of indexes: write it like 'film(length),film(rating,length)'",
                "film; --index film names no columns: write it like 'film(column)'",
                "film(a,a); --index film(a,a) has a column a twice: name each once, between commas"
            })
    void indexes_whatIsNoList_isRefused(String text, String message) {
        assertThatThrownBy(() -> MemoryOptions.indexes(List.of(text)))
                .isInstanceOf(StartupException.class)
                .hasMessage(message);
    }
}
