package dev.penstock.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate.And;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.Comparison;
import dev.penstock.query.Predicate.IsNull;
import dev.penstock.query.Predicate.Not;
import dev.penstock.query.Predicate.Or;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeysetTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "t",
                    List.of(
                            new Column("id", ColumnType.LONG, "bigint", false, 20),
                            new Column("part", ColumnType.INT, "int", false, 11),
                            new Column("n", ColumnType.INT, "int", true, 11)),
                    List.of("id", "part"),
                    false);
    private static final Plan PLAN = Plan.of(TABLE);

    private static Keyset keyset(Plan plan) {
        return Keyset.of(plan).orElseThrow();
    }

    private static Predicate behind(Order order, Object value) {
        Keyset keyset = keyset(PLAN.orderBy(List.of(order)));
        return keyset.after(Arrays.asList(value, 7L, 1)).filter();
    }

    private static Comparison is(String column, Comparator by, Object value) {
        return new Comparison(column, by, value);
    }

    private static final Predicate BEHIND_KEY =
            new And(
                    List.of(
                            is("id", Comparator.GREATER_OR_EQUAL, 7L),
                            new Or(
                                    List.of(
                                            is("id", Comparator.GREATER, 7L),
                                            is("part", Comparator.GREATER, 1)))));

    @Test
    void order_ofAPlan_endsWithTheKeysOtherColumns() {
        List<Order> order =
                keyset(
                                PLAN.orderBy(
                                        List.of(
                                                new Order("n", true, true),
                                                new Order("part", true, true),
                                                new Order("n", false, false))))
                        .order();
        assertThat(order)
                .containsExactly(
                        new Order("n", true, true),
                        new Order("part", true, true),
                        new Order("id", false, false));
        assertThat(keyset(PLAN).order())
                .containsExactly(new Order("id", false, false), new Order("part", false, false));
    }

    @Test
    void after_aValue_isABoundForAnIndexAndWhatLiesBehind() {
        assertThat(behind(new Order("n", true, true), 5))
                .isEqualTo(
                        new And(
                                List.of(
                                        is("n", Comparator.LESS_OR_EQUAL, 5),
                                        new Or(List.of(is("n", Comparator.LESS, 5), BEHIND_KEY)))));
        assertThat(keyset(PLAN).after(List.of(7L, 1)).filter()).isEqualTo(BEHIND_KEY);
    }

    @Test
    void after_aValueBeforeTheNulls_hasThemBehindIt() {
        assertThat(behind(new Order("n", false, false), 5))
                .isEqualTo(
                        new Or(
                                List.of(
                                        new IsNull("n"),
                                        new And(
                                                List.of(
                                                        is("n", Comparator.GREATER_OR_EQUAL, 5),
                                                        new Or(
                                                                List.of(
                                                                        is(
                                                                                "n",
                                                                                Comparator.GREATER,
                                                                                5),
                                                                        BEHIND_KEY)))))));
    }

    @Test
    void after_null_hasValuesBehindItOrOnlyNulls() {
        assertThat(behind(new Order("n", true, true), null))
                .isEqualTo(new Or(List.of(new Not(new IsNull("n")), BEHIND_KEY)));
        assertThat(behind(new Order("n", false, false), null))
                .isEqualTo(new And(List.of(new IsNull("n"), BEHIND_KEY)));
    }

    @Test
    void after_ofAFilteredPlan_keepsItsFilterOrderAndColumns() {
        Predicate filter = is("n", Comparator.EQUAL, 3);
        List<Plan.Item> items = List.of(new Plan.Item("id", "i"), new Plan.Item("part", "p"));
        Plan plan = PLAN.where(filter).select(items);
        Plan after = keyset(plan).after(List.of(7L, 1));
        assertThat(after.filter()).isEqualTo(new And(List.of(filter, BEHIND_KEY)));
        assertThat(after.items()).isEqualTo(items);
        assertThat(after.order()).isEqualTo(keyset(plan).order());
        assertThat(after.slices()).isEmpty();
    }

    @Test
    void keyset_ofRowsWithoutAKey_isEmpty() {
        Table keyless = new Table(null, "v", TABLE.columns(), List.of(), true);
        assertThat(Keyset.of(Plan.of(keyless))).isEmpty();
        assertThat(Keyset.of(PLAN.count())).isEmpty();
        assertThat(Keyset.of(Plan.of(PLAN.limit(3)))).isEmpty();
    }

    @Test
    void after_ofTheWrongSize_isRefused() {
        assertThatThrownBy(() -> keyset(PLAN).after(List.of(7L)))
                .isInstanceOf(QueryException.class)
                .hasMessage("1 values say where the rows start, and their order has 2 columns");
        assertThatThrownBy(() -> keyset(PLAN.limit(5)).after(List.of(7L, 1)))
                .isInstanceOf(QueryException.class)
                .hasMessage("rows are cut before it is said where they start");
    }
}
