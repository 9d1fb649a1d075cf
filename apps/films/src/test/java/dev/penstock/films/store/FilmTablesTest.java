package dev.penstock.films.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the tables that are made, before any database has them. */
class FilmTablesTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.001, 0.1, 1, 3.7, 40})
    void films_anyScale_keepTheirProportions(double scale) throws SQLException {
        List<List<String>> films = films(scale, 1);

        assertThat(films).hasSize((int) Math.max(3, Math.round(1000 * scale)));
        assertThat(films.getFirst()).containsSubsequence("1", "ACADEMY DINOSAUR", "86");
        assertThat(films.stream().map(film -> film.get(1))).doesNotHaveDuplicates();
        if (films.size() > 3) {
            assertThat(films.stream().filter(film -> Integer.parseInt(film.get(8)) > 60))
                    .hasSize((int) Math.round(896 * scale));
            assertThat(films.stream().filter(film -> film.get(10).equals("PG-13")).count())
                    .isBetween((long) (223 * scale) - 1, (long) (223 * scale) + 1);
        }
    }

    @Test
    void films_scaleOne_areInOrderOfTitle() throws SQLException {
        assertThat(films(1, 7).stream().map(film -> film.get(1))).isSorted();
    }

    @Test
    void rows_sameSeed_areTheSame() throws SQLException {
        assertThat(films(0.5, 5)).isEqualTo(films(0.5, 5)).isNotEqualTo(films(0.5, 6));
    }

    @Test
    void scale_outOfRange_saysWhatIsPossible() {
        assertThatThrownBy(() -> FilmStore.of(0))
                .hasMessageContaining("a film store of scale 0.0: more than 0 and at most 100000");
        assertThatThrownBy(() -> FilmStore.of(Double.NaN)).hasMessageContaining("scale NaN");
    }

    private static List<List<String>> films(double scale, long seed) throws SQLException {
        StoreTable table =
                new FilmTables(Counts.of(scale), seed)
                        .tables().stream()
                                .filter(each -> each.name().equals("film"))
                                .findFirst()
                                .orElseThrow();
        ListSink sink = new ListSink();
        for (long unit = 1; unit <= table.units(); unit++) {
            table.filler().write(unit, sink);
        }
        return sink.rows;
    }

    /** Keeps the rows as texts. */
    private static final class ListSink implements RowSink {
        final List<List<String>> rows = new ArrayList<>();
        private List<String> row = new ArrayList<>();

        @Override
        public void number(long value) {
            row.add(Long.toString(value));
        }

        @Override
        public void hundredths(long value) {
            row.add(value / 100 + "." + value % 100);
        }

        @Override
        public void text(@Nullable String value) {
            row.add(String.valueOf(value));
        }

        @Override
        public void truth(boolean value) {
            row.add(Boolean.toString(value));
        }

        @Override
        public void time(long epochSecond) {
            number(epochSecond);
        }

        @Override
        public void bytes(byte[] value) {
            row.add(HexFormat.of().formatHex(value) + Arrays.hashCode(value));
        }

        @Override
        public void nothing() {
            row.add("null");
        }

        @Override
        public void end() {
            rows.add(row);
            row = new ArrayList<>();
        }

        @Override
        public void finish() {}

        @Override
        public void close() {}
    }
}
