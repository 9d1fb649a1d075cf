package dev.penstock.gateway.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.gateway.RequestHead;
import dev.penstock.http.HttpException;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Keyset;
import dev.penstock.query.NativeType;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Plan;
import dev.penstock.query.Plan.Order;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AfterGrammarTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "film",
                    List.of(
                            new Column("id", ColumnType.LONG, "bigint", false, 20),
                            new Column("title", ColumnType.TEXT, "text", true, 200),
                            new Column("length", ColumnType.INT, "integer", true, 11),
                            new Column("after", ColumnType.INT, "integer", true, 11),
                            new Column("rating", ColumnType.OTHER, "rating", true, 10)
                                    .of(NativeType.ofLabels(List.of("G", "PG")))),
                    List.of("id"),
                    false);
    private static final Table KEYLESS = new Table(null, "view", TABLE.columns(), List.of(), true);
    private static final String[] PIECES = {
        "a",
        "\"",
        "\\",
        ",",
        "(",
        ")",
        " ",
        "+",
        "%",
        "&",
        "=",
        "\u20AC",
        "\uD83D\uDE00",
        "null",
        "\u0001",
        "\t",
        "\r\n",
        "\u007F",
        "'",
        "#",
        ";"
    };

    private static Plan plan(Table table, String query, int orderedBytes) {
        SchemaNames names = new SchemaNames(new Schema(List.of(TABLE, KEYLESS), false), "/api");
        return new PlanGrammar(names, table, orderedBytes)
                .plan(query, RequestHead.parameters(query));
    }

    private static Plan plan(String query) {
        return plan(TABLE, query, Integer.MAX_VALUE);
    }

    /** The plan for the rows behind these values, in an order. */
    private static Plan behind(List<Order> order, @Nullable Object... values) {
        return Keyset.of(Plan.of(TABLE).orderBy(order)).orElseThrow().after(Arrays.asList(values));
    }

    private static void requireError(
            String query, String kind, String parameter, int position, String... detail) {
        requireError(TABLE, query, Integer.MAX_VALUE, kind, parameter, position, detail);
    }

    private static void requireError(
            Table table,
            String query,
            int orderedBytes,
            String kind,
            String parameter,
            int position,
            String... detail) {
        HttpException error =
                catchThrowableOfType(HttpException.class, () -> plan(table, query, orderedBytes));
        assertThat(error).as(query).isNotNull().hasMessageContainingAll(detail);
        assertThat(error.status()).as(query).isEqualTo(400);
        assertThat(error.members())
                .as(query)
                .containsEntry("type", "urn:penstock:problem:" + kind)
                .containsEntry("parameter", parameter)
                .containsEntry("position", position);
    }

    @Test
    void after_inAnOrder_isThePlanBehindTheRow() {
        List<Order> order = List.of(new Order("title", true, true));
        assertThat(plan("order=title.desc&after=(ACADEMY,7)"))
                .isEqualTo(behind(order, "ACADEMY", 7L));
        assertThat(plan("after=(null,7)&order=title.desc")).isEqualTo(behind(order, null, 7L));
        assertThat(plan("order=title.desc&after=(%22null%22,7)"))
                .isEqualTo(behind(order, "null", 7L));
        assertThat(plan("order=title.desc&after=(%20%22%22%20,%207)"))
                .isEqualTo(behind(order, "", 7L));
        assertThat(plan("order=title.desc&after=(,7)")).isEqualTo(behind(order, "", 7L));
        assertThat(plan("order=title.desc&after=(ACADEMY,7)&limit=5"))
                .isEqualTo(behind(order, "ACADEMY", 7L).limit(5));
    }

    @Test
    void after_withoutAnOrder_isByTheKey() {
        assertThat(plan("after=(7)")).isEqualTo(behind(List.of(), 7L));
        Predicate filter = new Predicate.Comparison("length", Comparator.EQUAL, 5);
        assertThat(plan("length=eq.5&after=(7)").filter())
                .isEqualTo(Predicate.and(filter, behind(List.of(), 7L).filter()));
    }

    @Test
    void after_inAnOrderOfTheDatabase_hasItsValue() {
        assertThat(plan("order=rating.nullsfirst&after=(PG,7)"))
                .isEqualTo(
                        behind(
                                List.of(new Order("rating", false, true, true)),
                                new NativeValue("PG"),
                                7L));
    }

    @Test
    void columnCalledAfter_isFilteredInAList() {
        assertThat(plan("and=(after.eq.3)").filter())
                .isEqualTo(
                        new Predicate.And(
                                List.of(new Predicate.Comparison("after", Comparator.EQUAL, 3))));
        requireError(
                "after=eq.3",
                "malformed",
                "after",
                6,
                "here should stand ( and not \"eq.3\"",
                "write the last row's values of id in parentheses, with commas",
                "to filter by the column write and=(after.eq.1)");
        assertThat(plan("order=after&after=(3,7)"))
                .isEqualTo(behind(List.of(new Order("after", false, false)), 3, 7L));
    }

    @Test
    void values_thatAreTooFewOrTooMany_areToldWithTheColumns() {
        String columns = "write the last row's values of title, id in parentheses, with commas";
        requireError(
                "order=title&after=(a)",
                "wrong_count",
                "after",
                20,
                "after has 1 value, and the order has 2 columns",
                columns);
        requireError(
                "order=title&after=()",
                "wrong_count",
                "after",
                19,
                "after has 0 values, and the order has 2 columns");
        requireError(
                "order=title&after=(a,7,8)",
                "wrong_count",
                "after",
                23,
                "after has more than 2 values, and the order has 2 columns");
        requireError("order=title&after=(a,7", "malformed", "after", 22, "is not closed", columns);
        requireError(
                "order=title&after=(a,7)8",
                "malformed",
                "after",
                23,
                "goes on with \"8\"",
                columns);
        requireError(
                "order=title&after=(a(b),7)", "malformed", "after", 20, "goes on with \"(b),7)\"");
        requireError("order=title&after=(%22a,7)", "malformed", "after", 19, "is not closed");
        requireError("order=title&after=", "malformed", "after", 18, "and not the end");
    }

    @Test
    void values_thatTheirColumnDoesNotHave_areToldByPosition() {
        requireError(
                "order=length&after=(long,7)",
                "malformed_value",
                "after",
                20,
                "\"long\" is no value of the column length of type integer");
        requireError(
                "order=length&after=(5,7.5)",
                "malformed_value",
                "after",
                22,
                "\"7.5\" is no value");
        requireError(
                "order=length&after=(5,null)",
                "malformed_value",
                "after",
                22,
                "the column id is never NULL");
        requireError(
                "order=length&after=(%22null%22,7)", "malformed_value", "after", 20, "\"null\"");
        requireError(
                "order=title&after=(a%00,7)", "malformed_value", "after", 19, "character U+0000");
    }

    @Test
    void order_whoseColumnsAreNotSelected_isRefused() {
        requireError(
                "select=title&order=title&after=(a,7)",
                "not_selected",
                "after",
                25,
                "the rows are in an order by title, id, and id is not selected",
                "select id as well");
        assertThat(plan("select=t:title,i:id&order=title&after=(a,7)").filter())
                .isEqualTo(behind(List.of(new Order("title", false, false)), "a", 7L).filter());
    }

    @Test
    void after_withAnOffsetOrTwice_isRefused() {
        requireError("after=(7)&offset=5", "bad_offset", "offset", 10, "leave offset out");
        requireError("offset=0&after=(7)", "bad_offset", "offset", 0, "leave offset out");
        requireError("after=(7)&after=(8)", "duplicate_parameter", "after", 10, "given twice");
    }

    @Test
    void table_withoutAKey_cannotBeContinued() {
        requireError(
                KEYLESS,
                "order=title&after=(a)",
                Integer.MAX_VALUE,
                "no_key",
                "after",
                12,
                "view has no primary key",
                "read it whole, or in parts by filters");
    }

    @Test
    void value_beyondWhatTheDatabaseSortsBy_isRefused() {
        String fits = "a".repeat(341);
        assertThat(plan(TABLE, "order=title&after=(" + fits + ",7)", 1024))
                .isEqualTo(behind(List.of(new Order("title", false, false)), fits, 7L));
        requireError(
                TABLE,
                "order=title&after=(a" + fits + ",7)",
                1024,
                "value_too_long",
                "after",
                19,
                "sorts by the first 1024 bytes of a value",
                "order by other columns");
    }

    @Test
    void order_ofTooManyColumns_isRefused() {
        List<Column> many =
                IntStream.range(0, 33)
                        .mapToObj(i -> new Column("c" + i, ColumnType.INT, "integer", false, 11))
                        .toList();
        Table wide = new Table(null, "wide", many, List.of("c0"), false);
        String order = many.stream().map(Column::name).collect(Collectors.joining(","));
        String values = many.stream().map(_ -> "1").collect(Collectors.joining(","));
        requireError(
                wide,
                "order=" + order + "&after=(" + values + ")",
                Integer.MAX_VALUE,
                "too_many_columns",
                "after",
                order.length() + 7,
                "more than 32 columns");
    }

    /** Whatever is in a text, in double quotes it goes back as it was. */
    @Test
    void texts_atRandom_goBackInQuotes() {
        long seed =
                Long.getLong(
                        "penstock.seed",
                        Boolean.getBoolean("penstock.soak") ? System.nanoTime() : 1);
        Random random = new Random(seed);
        List<Order> order = List.of(new Order("title", false, false));
        for (int i = 0; i < 2000; i++) {
            String text =
                    IntStream.range(0, random.nextInt(8))
                            .mapToObj(_ -> PIECES[random.nextInt(PIECES.length)])
                            .collect(Collectors.joining());
            String value = '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            String after = URLEncoder.encode("(" + value + ",7)", UTF_8);
            assertThat(plan("order=title&after=" + after))
                    .as("-Dpenstock.seed=%d, text %d: %s", seed, i, text)
                    .isEqualTo(behind(order, text, 7L));
        }
    }
}
