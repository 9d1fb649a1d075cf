package dev.penstock.query.typed;

import static dev.penstock.query.typed.Thing.COLOR;
import static dev.penstock.query.typed.Thing.ID;
import static dev.penstock.query.typed.Thing.LENGTH;
import static dev.penstock.query.typed.Thing.NAME;
import static dev.penstock.query.typed.Thing.PRICE;
import static dev.penstock.query.typed.Thing.SIZE;
import static dev.penstock.query.typed.Thing.WEIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.Predicate;
import dev.penstock.query.typed.Thing.Color;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.Field;
import dev.penstock.query.typed.field.FieldOrder;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.Numeric;
import dev.penstock.query.typed.field.RangeBounds;
import dev.penstock.query.typed.field.ValueField;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Conditions and orders on plain objects. */
class FieldTest {
    private static final Thing NULLS = Thing.of(1, null);
    private static final Thing SHORT = Thing.of(2, "b").length(48);
    private static final Thing LONG = Thing.of(3, "a").length(86);

    private static List<Integer> ids(Condition<Thing> condition) {
        return List.of(NULLS, SHORT, LONG).stream().filter(condition).map(ID).toList();
    }

    @Test
    void condition_ofANull_isFalseButForIsNullAndNotEqual() {
        assertThat(ids(LENGTH.isNull())).containsExactly(1);
        assertThat(ids(LENGTH.isNotNull())).containsExactly(2, 3);
        assertThat(ids(LENGTH.equal(48))).containsExactly(2);
        assertThat(ids(LENGTH.notEqual(48))).containsExactly(1, 3);
        assertThat(ids(LENGTH.lessThan(86))).containsExactly(2);
        assertThat(ids(LENGTH.lessOrEqual(86))).containsExactly(2, 3);
        assertThat(ids(LENGTH.greaterThan(48))).containsExactly(3);
        assertThat(ids(LENGTH.greaterOrEqual(48))).containsExactly(2, 3);
        assertThat(ids(LENGTH.in(1, 48))).containsExactly(2);
        assertThat(ids(LENGTH.in())).isEmpty();
        assertThat(ids(LENGTH.notIn(1, 48))).containsExactly(3);
        assertThat(ids(LENGTH.notIn())).containsExactly(2, 3);
        assertThat(ids(LENGTH.in(1, 48).negate())).containsExactly(1, 3);
    }

    @Test
    void between_ofEachInclusion_holdsItsEnds() {
        assertThat(ids(LENGTH.between(48, 86))).containsExactly(2);
        assertThat(ids(LENGTH.notBetween(48, 86))).containsExactly(3);
        for (RangeBounds inclusion : RangeBounds.values()) {
            List<Integer> expected = new ArrayList<>();
            if (inclusion.includesStart()) {
                expected.add(2);
            }
            if (inclusion.includesEnd()) {
                expected.add(3);
            }
            assertThat(ids(LENGTH.between(48, 86, inclusion))).isEqualTo(expected);
            assertThat(ids(LENGTH.notBetween(48, 86, inclusion)))
                    .isEqualTo(List.of(2, 3).stream().filter(i -> !expected.contains(i)).toList());
        }
        assertThat(ids(LENGTH.between(86, 48))).isEmpty();
    }

    @Test
    void conditions_joined_areConditionsOfOneTree() {
        Condition<Thing> both = LENGTH.greaterThan(60).and(NAME.equal("a"));
        assertThat(both.predicate()).isInstanceOf(Predicate.And.class);
        assertThat(ids(both)).containsExactly(3);
        assertThat(ids(both.or(ID.equal(1)))).containsExactly(1, 3);
        assertThat(ids(both.or(ID.equal(1)).negate())).containsExactly(2);
        assertThat(both.and((java.util.function.Predicate<Thing>) _ -> true))
                .isNotInstanceOf(Condition.class);
        assertThat(java.util.function.Predicate.not(both)).isInstanceOf(Condition.class);
    }

    @Test
    void condition_ofAnEnum_comparesAsTheConstantsAreDeclared() {
        Thing red = NULLS.color(Color.RED);
        Thing amber = NULLS.color(Color.AMBER);
        assertThat(COLOR.lessThan(Color.AMBER).test(red)).isTrue();
        assertThat(COLOR.lessThan(Color.AMBER).test(amber)).isFalse();
        assertThat(COLOR.lessThan(Color.AMBER).predicate())
                .isEqualTo(new Predicate.In("color", List.of("red", "blue")));
        assertThat(COLOR.compare(red, amber)).isNegative();
        assertThat(COLOR.in(Color.RED, Color.BLUE).test(red)).isTrue();
        assertThat(COLOR.equal(Color.RED).predicate())
                .isEqualTo(new Predicate.Comparison("color", Predicate.Comparator.EQUAL, "red"));
    }

    @Test
    void condition_ofADecimal_comparesByValue() {
        Thing thing = NULLS.price("1.50");
        assertThat(PRICE.equal(new BigDecimal("1.5")).test(thing)).isTrue();
        assertThat(PRICE.in(new BigDecimal("1.5")).test(thing)).isTrue();
        assertThat(PRICE.notEqual(new BigDecimal("1.500")).test(thing)).isFalse();
    }

    @Test
    void condition_ofADouble_tellsTheZerosAndPutsNanAbove() {
        assertThat(WEIGHT.equal(0.0).test(NULLS.weight(-0.0))).isFalse();
        assertThat(WEIGHT.lessThan(0.0).test(NULLS.weight(-0.0))).isTrue();
        assertThat(WEIGHT.equal(Double.NaN).test(NULLS.weight(Double.NaN))).isTrue();
        assertThat(WEIGHT.greaterThan(Double.POSITIVE_INFINITY).test(NULLS.weight(Double.NaN)))
                .isTrue();
    }

    @Test
    void condition_withANull_failsAtOnceAndSaysWhatToAsk() {
        assertThatThrownBy(() -> NAME.equal((String) null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage(
                        "a condition compares Thing.name with null; ask isNull() for rows without a value");
        assertThatThrownBy(() -> NAME.in("a", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> PRICE.between(null, BigDecimal.ONE))
                .hasMessageContaining("Thing.price");
    }

    @Test
    void order_ofAField_putsNullsWhereItSays() {
        assertThat(sorted(LENGTH)).containsExactly(2, 3, 1);
        assertThat(sorted(LENGTH.comparator())).containsExactly(2, 3, 1);
        assertThat(sorted(LENGTH.nullsFirst())).containsExactly(1, 2, 3);
        assertThat(sorted(LENGTH.reversed())).containsExactly(1, 3, 2);
        assertThat(sorted(LENGTH.reversed().nullsLast())).containsExactly(3, 2, 1);
        assertThat(sorted(NAME.thenComparing(ID))).containsExactly(3, 2, 1);
        assertThat(sorted(SIZE.reversed())).containsExactly(3, 2, 1);
        assertThat(LENGTH.reversed().thenComparing(NAME)).isInstanceOf(FieldOrder.class);
        assertThat(LENGTH.reversed().thenComparing(NAME.reversed())).isInstanceOf(FieldOrder.class);
        assertThat(LENGTH.reversed().thenComparing(Comparator.comparingInt(Thing::id)))
                .isNotInstanceOf(FieldOrder.class);
    }

    private static List<Integer> sorted(Comparator<Thing> order) {
        List<Thing> things = new ArrayList<>(List.of(NULLS, SHORT, LONG));
        things.sort(order);
        return things.stream().map(ID).toList();
    }

    @Test
    void order_ofTexts_isByCodePoint() {
        Thing pair = Thing.of(1, "\uD83D\uDE00");
        Thing late = Thing.of(2, "\uFFFD");
        assertThat(NAME.compare(late, pair)).isNegative();
        assertThat(NAME.greaterThan("\uFFFD").test(pair)).isTrue();
        assertThat(Collections.max(List.of(late, pair), NAME)).isSameAs(pair);
    }

    @Test
    void field_asAFunction_givesItsValue() {
        assertThat(LENGTH.apply(SHORT)).isEqualTo(48);
        assertThat(LENGTH.asInt().applyAsInt(SHORT)).isEqualTo(48);
        assertThat(LENGTH.asLong().applyAsLong(SHORT)).isEqualTo(48);
        assertThat(LENGTH.asDouble().applyAsDouble(SHORT)).isEqualTo(48);
        assertThatThrownBy(() -> LENGTH.applyAsInt(NULLS))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("Thing.length is null");
    }

    @Test
    void condition_ofTexts_comparesPartsWithAndWithoutCase() {
        Thing thing = Thing.of(1, "Stra\u00DFe 50%");
        assertThat(NAME.startsWith("Stra").test(thing)).isTrue();
        assertThat(NAME.startsWith("stra").test(thing)).isFalse();
        assertThat(NAME.startsWithIgnoreCase("sTRA").test(thing)).isTrue();
        assertThat(NAME.endsWith("50%").test(thing)).isTrue();
        assertThat(NAME.contains("\u00DFe").test(thing)).isTrue();
        assertThat(NAME.containsIgnoreCase("\u1E9EE").test(thing)).isTrue();
        assertThat(NAME.notContains("x").test(thing)).isTrue();
        assertThat(NAME.notContains("x").test(NULLS)).isFalse();
        assertThat(NAME.equalIgnoreCase("STRASSE 50%").test(thing)).isFalse();
        assertThat(NAME.isEmpty().test(thing)).isFalse();
        assertThat(NAME.isEmpty().test(NULLS)).isFalse();
        assertThat(NAME.isNotEmpty().test(NULLS)).isFalse();
        assertThat(NAME.matches("S.*%").test(thing)).isTrue();
        assertThat(NAME.matches("S").test(thing)).isFalse();
        assertThat(NAME.notMatches("S").test(NULLS)).isFalse();
    }

    @Test
    void condition_ofTwoFieldsOrNumbers_comparesThem() {
        assertThat(ids(LENGTH.equal(ID))).isEmpty();
        assertThat(ids(LENGTH.notEqual(ID))).containsExactly(1, 2, 3);
        assertThat(ids(LENGTH.plus(10).greaterThan(58))).containsExactly(3);
        assertThat(ids(LENGTH.times(SIZE).minus(1).lessOrEqual(95))).containsExactly(2);
        assertThat(ids(SIZE.times(Long.MAX_VALUE).greaterThan(Long.MAX_VALUE)))
                .containsExactly(2, 3);
        assertThat(ids(LENGTH.number().greaterThan(SIZE))).containsExactly(2, 3);
        assertThat(PRICE.plus(LENGTH).equal(new BigDecimal("49.5")).test(SHORT.price("1.50")))
                .isTrue();
        assertThatThrownBy(() -> Thing.DAY.plus(1)).hasMessageContaining("Thing.made_on");
        assertThat(COLOR.lessThan(COLOR).test(NULLS.color(Color.RED))).isFalse();
        assertThat(COLOR.lessOrEqual(COLOR).test(NULLS.color(Color.RED))).isTrue();
        assertThat(COLOR.notEqual(COLOR).test(NULLS)).isFalse();
    }

    @Test
    void valueField_ofAClassThatNoColumnHas_failsAtOnce() {
        assertThatThrownBy(() -> ValueField.of(Thing.class, "x", String.class, Thing::name))
                .hasMessageContaining("Thing.x")
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void entity_withAnotherOnesField_failsAtOnce() {
        IntField<Thing> other = IntField.of(Thing.class, "other", Thing::id);
        assertThatThrownBy(() ->
                        Entity.of(
                                Thing.class,
                                "thing",
                                _ -> NULLS,
                                List.of(ID, NAME),
                                List.of(other)))
                .hasMessageContaining("table thing")
                .hasMessageContaining("Thing.other");
        assertThatThrownBy(() ->
                        Entity.of(Thing.class, "thing", _ -> NULLS, List.of(ID, ID), List.of()))
                .hasMessageContaining("two fields of the column id");
    }

    @Test
    void foreignKey_ofARow_isTheConditionOfEqualValues() {
        ForeignKey<Thing, Thing> parent = ForeignKey.of(List.of(LENGTH), () -> List.of(SIZE));
        Referrers<Thing, Thing> children = Referrers.of(() -> parent);
        assertThat(parent.condition(NULLS)).isEmpty();
        assertThat(parent.condition(NULLS.length(3)).orElseThrow().test(LONG)).isTrue();
        assertThat(children.condition(LONG).orElseThrow().test(NULLS.length(3))).isTrue();
        assertThat(children.condition(LONG).orElseThrow().test(NULLS)).isFalse();
    }

    @Test
    void in_ofManyValues_findsThoseThatAreEqual() {
        List<Integer> even = IntStream.range(0, 5000).map(i -> 2 * i).boxed().toList();
        assertThat(ids(ID.in(even))).containsExactly(2);
        assertThat(ids(ID.notIn(even))).containsExactly(1, 3);
        assertThat(ids(LENGTH.in(even))).containsExactly(2, 3);
        assertThat(ids(LENGTH.notIn(even))).isEmpty();
        List<BigDecimal> prices = even.stream().map(i -> new BigDecimal(i + ".5")).toList();
        assertThat(PRICE.in(prices).test(SHORT.price("48.50"))).isTrue();
        assertThat(PRICE.in(prices).test(SHORT.price("49.50"))).isFalse();
        assertThat(PRICE.in(prices).test(SHORT)).isFalse();
    }

    @Test
    void conditions_joinedThousandsOfTimes_areTestedOnAShortStack() {
        Condition<Thing> any = ID.equal(-1);
        Condition<Thing> all = ID.notEqual(-1);
        Condition<Thing> twice = ID.equal(2);
        for (int i = 0; i < 10_000; i++) {
            any = any.or(ID.equal(3 + 5 * i));
            all = all.and(ID.notEqual(3 + 5 * i));
            twice = twice.negate().negate();
        }
        assertThat(ids(any)).containsExactly(3);
        assertThat(ids(all)).containsExactly(1, 2);
        assertThat(ids(twice)).containsExactly(2);
    }

    @Test
    void conditions_nestedWithoutBound_areRefused() {
        assertThatThrownBy(
                        () -> {
                            Condition<Thing> nested = ID.equal(1);
                            for (int i = 0; i < 1000; i++) {
                                nested = nested.or(ID.equal(i)).and(ID.notEqual(i));
                            }
                        })
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("condition on Thing")
                .hasMessageContaining("deeper than 1000 levels");
        assertThatThrownBy(
                        () -> {
                            Numeric<Thing> sum = ID;
                            for (int i = 0; i < 2000; i++) {
                                sum = sum.plus(1);
                            }
                        })
                .hasMessageContaining("a number of Thing is calculated in more than 1000 steps");
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"}) // what the compiler would refuse
    void conditions_ofTwoEntities_areNotJoined() {
        record Other(int n) {}
        IntField<Other> field = IntField.of(Other.class, "n", Other::n);
        Condition other = field.equal(1);
        assertThatThrownBy(() -> ID.equal(1).and((Condition<Thing>) other))
                .hasMessageContaining("condition on Thing is joined with one on Other");
        assertThatThrownBy(() -> ID.equal(1).or((Condition<Thing>) other))
                .hasMessageContaining("condition on Thing is joined with one on Other");
        assertThatThrownBy(() -> ID.equal((Field) field))
                .hasMessageContaining("a number of Thing meets one of Other");
    }

    @Test
    void nulls_inAList_areAnErrorThatNamesTheField() {
        assertThatThrownBy(() -> NAME.in("a", null)).hasMessageContaining("compares Thing.name");
        assertThatThrownBy(() -> NAME.matches((String) null))
                .hasMessageContaining("compares Thing.name");
        assertThatThrownBy(() -> ID.in((List<Integer>) null))
                .hasMessageContaining("compares Thing.id");
    }

    @Test
    void enum_whoseConstantsShareAText_isRefused() {
        assertThatThrownBy(() ->
                        EnumField.of(
                                Thing.class,
                                "color",
                                Color.class,
                                Thing::color,
                                _ -> "red",
                                Color::of))
                .hasMessageContaining("field Thing.color: the text of Color.BLUE");
    }
}
