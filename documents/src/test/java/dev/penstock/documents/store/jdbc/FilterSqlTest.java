package dev.penstock.documents.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.CollectionTables;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoreFilter.And;
import dev.penstock.documents.store.StoreFilter.Equal;
import dev.penstock.documents.store.StoreFilter.Or;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilterSqlTest {
    private static final List<String> INDEXED = List.of("person", "name");
    private static final StoreFilter BY_INDEX = new Equal(INDEXED, "Ann");
    private static final StoreFilter SHORT = new Equal(List.of("person", "city"), "Ulm");

    /** A filter whose SQL is longer than a statement may be. */
    private static final StoreFilter LONG =
            new Or(
                    IntStream.range(0, 2_000)
                            .mapToObj(i -> (StoreFilter) new Equal(List.of("r", "k" + i), "x"))
                            .toList());

    private static SqlCondition translate(StoreFilter filter) {
        return new FilterSql(
                        new SqliteDialect(), new CollectionTables("people"), Map.of(INDEXED, 1))
                .translate(filter);
    }

    @Test
    void condition_thatIsTooLong_findsEveryDocument() {
        assertThat(translate(LONG)).isEqualTo(SqlCondition.UNKNOWN);
        assertThat(translate(new Or(List.of(BY_INDEX, LONG)))).isEqualTo(SqlCondition.UNKNOWN);
    }

    @Test
    void partOfAConjunction_thatIsTooLong_leavesTheOthers() {
        SqlCondition condition = translate(new And(List.of(LONG, BY_INDEX, SHORT)));
        assertThat(condition.exact()).isFalse();
        assertThat(condition.indexes()).containsExactly(INDEXED);
        assertThat(condition.sql())
                .contains(translate(BY_INDEX).sql(), translate(SHORT).sql())
                .hasSizeLessThan(10_000);
    }

    @Test
    void conjunctionOfManyParts_isCutToWhatFits() {
        List<StoreFilter> parts = ((Or) LONG).any();
        SqlCondition condition =
                translate(new And(List.of(new And(parts), new And(parts.reversed()), BY_INDEX)));
        assertThat(condition.exact()).isFalse();
        assertThat(condition.indexes()).containsExactly(INDEXED);
        assertThat(condition.sql()).hasSizeLessThanOrEqualTo(200_000);
    }

    @Test
    void conjunction_thatNoDocumentFulfils_findsNone() {
        assertThat(translate(new And(List.of(LONG, new StoreFilter.Nothing()))))
                .isEqualTo(SqlCondition.NONE);
    }

    @Test
    void conjunction_thatFits_isExact() {
        assertThat(translate(new And(List.of(BY_INDEX, SHORT))).exact()).isTrue();
        StoreFilter most = new Or(((Or) LONG).any().subList(0, 200));
        SqlCondition condition = translate(most);
        assertThat(condition.sql()).hasSizeBetween(100_000, 190_000);
        assertThat(translate(new And(Collections.nCopies(10, most)))).isEqualTo(condition);
    }
}
