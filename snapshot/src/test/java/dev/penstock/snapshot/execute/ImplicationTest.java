package dev.penstock.snapshot.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Evaluation;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ImplicationTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "t",
                    List.of(
                            new Column("i", ColumnType.INT, "int", true, 11),
                            new Column("n", ColumnType.DECIMAL, "numeric", true, 20)),
                    List.of(),
                    false);
    private static final List<BigDecimal> HALVES =
            List.of(
                    new BigDecimal("0"),
                    new BigDecimal("0.5"),
                    new BigDecimal("1.0"),
                    new BigDecimal("1.5"),
                    new BigDecimal("2"));

    private static final List<Comparator> COMPARATORS = List.of(Comparator.values());

    private final Implication implication = new Implication(TABLE);

    private static Predicate compared(Comparator comparator, Object value) {
        return new Predicate.Comparison("i", comparator, value);
    }

    @Test
    void conditions_atRandom_areImpliedOnlyWhereNoRowIsLost() {
        long seed = Long.getLong("penstock.seed", 1);
        Random random = new Random(seed);
        int held = 0;
        for (int i = 0; i < 40_000; i++) {
            Predicate given = predicate(random, 3);
            Predicate wanted = predicate(random, 2);
            if (implication.holds(given, wanted)) {
                held++;
                requireImplied(given, wanted, "-Dpenstock.seed=%d, %d".formatted(seed, i));
            }
        }
        assertThat(held).isGreaterThan(2_000);
    }

    private static void requireImplied(Predicate given, Predicate wanted, String shown) {
        List<Object> whole = new ArrayList<>(Arrays.asList(null, -1, 0, 1, 2, 3, 4));
        List<Object> halves = new ArrayList<>(HALVES);
        halves.add(null);
        for (Object i : whole) {
            for (Object n : halves) {
                Map<String, Object> row = new HashMap<>();
                row.put("i", i);
                row.put("n", n);
                if (Evaluation.test(given, row::get)) {
                    assertThat(Evaluation.test(wanted, row::get))
                            .as("%s: %s, %s of %s", shown, given, wanted, row)
                            .isTrue();
                }
            }
        }
    }

    private static Predicate predicate(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 9)) {
            case 0, 1, 2 ->
                    new Predicate.Comparison(
                            random.nextInt(4) > 0 ? "i" : "n",
                            COMPARATORS.get(random.nextInt(6)),
                            random.nextInt(4) > 0
                                    ? random.nextInt(4)
                                    : HALVES.get(random.nextInt(HALVES.size())));
            case 3 -> {
                List<Object> values = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    values.add(random.nextInt(4));
                }
                yield new Predicate.In("i", values);
            }
            case 4 -> new Predicate.IsNull("i");
            case 5 ->
                    new Predicate.Comparison(
                            "n",
                            COMPARATORS.get(random.nextInt(6)),
                            HALVES.get(random.nextInt(HALVES.size())));
            case 6 -> new Predicate.Not(predicate(random, depth - 1));
            case 7 ->
                    new Predicate.And(
                            List.of(predicate(random, depth - 1), predicate(random, depth - 1)));
            default ->
                    new Predicate.Or(
                            List.of(predicate(random, depth - 1), predicate(random, depth - 1)));
        };
    }

    @Test
    void narrowerCondition_ofTheSameColumn_isKnown() {
        Predicate after = compared(Comparator.GREATER, 2000);
        for (Predicate given :
                List.of(
                        after,
                        compared(Comparator.EQUAL, 2010),
                        compared(Comparator.GREATER, 2005),
                        compared(Comparator.GREATER_OR_EQUAL, 2001),
                        new Predicate.In("i", List.of(2001, 2010)),
                        new Predicate.And(
                                List.of(
                                        compared(Comparator.GREATER_OR_EQUAL, 2003),
                                        compared(Comparator.LESS, 2005))),
                        new Predicate.Or(
                                List.of(
                                        compared(Comparator.EQUAL, 2010),
                                        compared(Comparator.GREATER, 2020))))) {
            assertThat(implication.holds(given, after)).as("%s", given).isTrue();
        }
        for (Predicate given :
                List.of(
                        Predicate.ALL,
                        compared(Comparator.GREATER_OR_EQUAL, 2000),
                        compared(Comparator.NOT_EQUAL, 2000),
                        compared(Comparator.LESS, 2010),
                        new Predicate.Not(after),
                        new Predicate.In("i", List.of(2000, 2010)),
                        new Predicate.Or(List.of(after, new Predicate.IsNull("i"))))) {
            assertThat(implication.holds(given, after)).as("%s", given).isFalse();
        }
    }
}
