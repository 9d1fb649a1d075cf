package dev.penstock.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.gateway.RequestHead;
import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.HttpException;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.NativeValue;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.Predicate.Comparator;
import dev.penstock.query.Predicate.Comparison;
import dev.penstock.query.Predicate.In;
import dev.penstock.query.Predicate.IsNull;
import dev.penstock.query.Predicate.Not;
import dev.penstock.query.Predicate.SqlNot;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanGrammarTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "t",
                    List.of(
                            column("i", ColumnType.INT),
                            column("l", ColumnType.LONG),
                            column("d", ColumnType.DECIMAL),
                            column("f", ColumnType.FLOAT),
                            column("g", ColumnType.DOUBLE),
                            column("s", ColumnType.TEXT),
                            column("b", ColumnType.BOOLEAN),
                            column("day", ColumnType.DATE),
                            column("clock", ColumnType.TIME),
                            column("stamp", ColumnType.TIMESTAMP),
                            column("zoned", ColumnType.TIMESTAMP_UTC),
                            column("u", ColumnType.UUID),
                            column("raw", ColumnType.BINARY),
                            column("limit", ColumnType.INT),
                            column("and", ColumnType.INT),
                            column("Mixed Case", ColumnType.TEXT),
                            column("x.y", ColumnType.INT),
                            column("q\"q", ColumnType.INT)),
                    List.of("i"),
                    false);

    private static Column column(String name, ColumnType type) {
        return new Column(name, type, type.name().toLowerCase(java.util.Locale.ROOT), true, 100);
    }

    private static Plan plan(String query) {
        SchemaNames names = new SchemaNames(new Schema(List.of(TABLE), false), "/api");
        return new PlanGrammar(names, TABLE, Integer.MAX_VALUE)
                .plan(query, RequestHead.parameters(query));
    }

    private static Predicate filter(String query) {
        return plan(query).filter();
    }

    private static HttpException error(String query) {
        HttpException error = catchThrowableOfType(HttpException.class, () -> plan(query));
        assertThat(error).as(query).isNotNull();
        assertThat(error.status()).as(query).isEqualTo(400);
        assertThat(error.members())
                .containsKeys(
                        "type", "code", "message", "details", "hint", "parameter", "position");
        return error;
    }

    @ParameterizedTest
    @CsvSource({
        "eq, EQUAL",
        "gt, GREATER",
        "gte, GREATER_OR_EQUAL",
        "lt, LESS",
        "lte, LESS_OR_EQUAL"
    })
    void filter_withAnOperator_compares(String operator, Comparator comparator) {
        Comparison expected = new Comparison("i", comparator, 5);
        assertThat(filter("i=" + operator + ".5")).isEqualTo(expected);
        assertThat(filter("i=not." + operator + ".5")).isEqualTo(new SqlNot(expected));
        assertThat(filter("and=(i." + operator + ".5,i.not." + operator + ".5)"))
                .isEqualTo(new Predicate.And(List.of(expected, new SqlNot(expected))));
    }

    @Test
    void filter_withNeq_isSqlsNegationOfEq() {
        Comparison equal = new Comparison("i", Comparator.EQUAL, 5);
        assertThat(filter("i=neq.5")).isEqualTo(new SqlNot(equal));
        assertThat(filter("i=not.neq.5")).isEqualTo(equal);
        assertThat(filter("or=(i.neq.5,i.not.neq.5)"))
                .isEqualTo(new Predicate.Or(List.of(new SqlNot(equal), equal)));
    }

    @Test
    void filter_withIsdistinct_isNeverUnknown() {
        Comparison distinct = new Comparison("i", Comparator.NOT_EQUAL, 5);
        assertThat(filter("i=isdistinct.5")).isEqualTo(distinct);
        assertThat(filter("i=not.isdistinct.5")).isEqualTo(new Not(distinct));
    }

    @Test
    void filter_ofEachType_hasItsJavaValue() {
        assertThat(value("l=eq.-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(value("d=eq.-0012.50")).isEqualTo(new BigDecimal("-12.50"));
        assertThat(value("f=eq.1.5e3")).isEqualTo(1500f);
        assertThat(value("g=eq.-Infinity")).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(value("g=eq.NaN")).isEqualTo(Double.NaN);
        assertThat(value("s=eq.")).isEqualTo("");
        assertThat(value("s=eq.%22a%22,(b).c%26d+e")).isEqualTo("\"a\",(b).c&d e");
        assertThat(value("b=eq.true")).isEqualTo(true);
        assertThat(value("day=eq.2024-02-29")).isEqualTo(LocalDate.of(2024, 2, 29));
        assertThat(value("clock=eq.13:45:00.25")).isEqualTo(LocalTime.parse("13:45:00.25"));
        assertThat(value("stamp=eq.2024-01-02T03:04:05"))
                .isEqualTo(LocalDateTime.parse("2024-01-02T03:04:05"));
        assertThat(value("stamp=eq.2024-01-02%2003:04:05"))
                .isEqualTo(LocalDateTime.parse("2024-01-02T03:04:05"));
        assertThat(value("stamp=eq.2024-01-02"))
                .isEqualTo(LocalDateTime.parse("2024-01-02T00:00:00"));
        assertThat(value("zoned=eq.2024-01-02T03:04:05Z"))
                .isEqualTo(Instant.parse("2024-01-02T03:04:05Z"));
        assertThat(value("zoned=eq.2024-01-02T03:04:05%2B02:00"))
                .isEqualTo(Instant.parse("2024-01-02T01:04:05Z"));
        assertThat(value("u=eq.123E4567-e89b-12d3-a456-426614174000"))
                .isEqualTo(UUID.fromString("123e4567-e89b-12d3-a456-426614174000"));
        assertThat(value("raw=eq.AAH/")).isEqualTo(new byte[] {0, 1, (byte) 0xFF});
    }

    @Test
    void timestamp_withAZone_isItsOwnTime() {
        for (String zone :
                List.of(
                        "",
                        "Z",
                        "z",
                        ".000Z",
                        "%2B00",
                        "%2B02:00",
                        "-1130",
                        "%20%2B05:30",
                        "%2B01:00:30")) {
            assertThat(value("stamp=gte.2005-05-30T10:00:00" + zone))
                    .as(zone)
                    .isEqualTo(LocalDateTime.parse("2005-05-30T10:00:00"));
        }
        assertThat(value("stamp=eq.2024-01-02%2003:04Z"))
                .isEqualTo(LocalDateTime.parse("2024-01-02T03:04"));
    }

    @Test
    void value_thatItsJavaTypeCanNotHold_isTheDatabases() {
        assertThat(value("day=eq.-0043-03-15")).isEqualTo(LocalDate.of(-43, 3, 15));
        assertThat(value("day=eq.%2B12026-01-01")).isEqualTo(LocalDate.of(12026, 1, 1));
        assertThat(value("stamp=eq.-0043-03-15%2012:00:00"))
                .isEqualTo(LocalDateTime.of(-43, 3, 15, 12, 0));
        for (String query :
                List.of(
                        "d=eq.NaN",
                        "d=eq.-Infinity",
                        "day=eq.infinity",
                        "day=eq.0000-00-00",
                        "day=eq.2026-00-15",
                        "day=eq.2023-02-29",
                        "clock=eq.24:00:00",
                        "clock=eq.838:59:59",
                        "clock=eq.-00:00:01.5",
                        "stamp=eq.-infinity",
                        "stamp=eq.0000-00-00T00:00:00",
                        "zoned=eq.0000-00-00T00:00:00Z")) {
            assertThat(value(query))
                    .as(query)
                    .isEqualTo(new NativeValue(query.substring(query.indexOf("eq.") + 3)));
        }
    }

    private static Object value(String query) {
        return ((Comparison) filter(query)).value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "i=eq.2147483648 | 5",
                "i=eq.1.0 | 5",
                "i=eq. | 5",
                "i=gt.+1 | 5",
                "i=in.(1,x) | 8",
                "and=(i.eq.1,i.lt.z) | 17",
                "l=eq.9223372036854775808 | 5",
                "d=eq.1e5 | 5",
                "d=eq.nan | 5",
                "f=eq.1e39 | 5",
                "g=eq.0x1p3 | 5",
                "g=eq.1d | 5",
                "b=eq.yes | 5",
                "day=eq.2023-13-29 | 7",
                "day=eq.2023-02-32 | 7",
                "day=eq.Infinity | 7",
                "day=eq.2024-1-1 | 7",
                "clock=eq.25:00 | 9",
                "stamp=eq.2024-01-01T00:00:00X | 9",
                "stamp=eq.2024-01-01Z | 9",
                "zoned=eq.2024-01-01T00:00:00 | 9",
                "u=eq.1-1-1-1-1 | 5",
                "raw=eq.a_b | 7",
                "s=eq.%00 | 5",
                "i=is.true | 5",
                "b=is.maybe | 5",
                "i=eq.null | 5",
                "%69=eq.%78 | 7",
                "s=eq.a&i=eq.%C3%A9 | 12"
            })
    void value_thatIsNone_isRefusedWithItsPosition(String query, int position) {
        HttpException error = error(query);
        assertThat(error.members())
                .containsEntry("type", Problems.TYPE + "malformed_value")
                .containsEntry("position", position);
        assertThat(error).hasMessageStartingWith("position " + position + " of the query: ");
    }

    @Test
    void value_thatIsNone_isToldWithWhatWouldBeRight() {
        assertThat(error("i=eq.abc"))
                .hasMessage(
                        "position 5 of the query: \"abc\" is no value of the column i of type int; "
                                + "write a whole number from -2147483648 to 2147483647");
        assertThat(error("i=eq.null"))
                .hasMessageEndingWith("for NULL write is.null or not.is.null");
    }

    @Test
    void in_withQuotesAndSpaces_hasItsValues() {
        assertThat(
                        filter(
                                "s=in.(a,%22b,c%22, \"d\\\"\\\\)\" ,,(e)"
                                        .replace("(e)", "e)")
                                        .replace("\"", "%22")
                                        .replace(" ", "%20")))
                .isEqualTo(new In("s", List.of("a", "b,c", "d\"\\)", "", "e")));
        assertThat(filter("i=in.(1,2)")).isEqualTo(new In("i", List.of(1, 2)));
        assertThat(filter("i=in.()")).isEqualTo(new In("i", List.of()));
        assertThat(filter("s=in.(%22%22)")).isEqualTo(new In("s", List.of("")));
        assertThat(filter("i=not.in.(1)")).isEqualTo(new SqlNot(new In("i", List.of(1))));
        assertThat(filter("or=(i.in.(1,2),s.eq.x)"))
                .isEqualTo(
                        new Predicate.Or(
                                List.of(
                                        new In("i", List.of(1, 2)),
                                        new Comparison("s", Comparator.EQUAL, "x"))));
    }

    @Test
    void is_withNullOrTruth_isTheirPredicate() {
        assertThat(filter("s=is.null")).isEqualTo(new IsNull("s"));
        assertThat(filter("s=is.NULL")).isEqualTo(new IsNull("s"));
        assertThat(filter("s=is.not_null")).isEqualTo(new Not(new IsNull("s")));
        assertThat(filter("s=not.is.null")).isEqualTo(new Not(new IsNull("s")));
        Comparison distinct = new Comparison("b", Comparator.NOT_EQUAL, false);
        assertThat(filter("b=is.false")).isEqualTo(new Not(distinct));
        assertThat(filter("b=not.is.false")).isEqualTo(distinct);
        assertThat(filter("s=not.is.not_null")).isEqualTo(new IsNull("s"));
        assertThat(filter("b=is.unknown")).isEqualTo(new IsNull("b"));
    }

    @Test
    void filters_onOneColumn_areAnded() {
        assertThat(filter("i=gt.1&i=lt.5&or=(s.eq.a,s.is.null)"))
                .isEqualTo(
                        new Predicate.And(
                                List.of(
                                        new Comparison("i", Comparator.GREATER, 1),
                                        new Comparison("i", Comparator.LESS, 5),
                                        new Predicate.Or(
                                                List.of(
                                                        new Comparison("s", Comparator.EQUAL, "a"),
                                                        new IsNull("s"))))));
    }

    @Test
    void tree_nested_isReadWhole() {
        assertThat(filter("not.or=(i.gt.1,and(s.eq.%22a,b%22,not.or(b.is.true)))"))
                .isEqualTo(
                        new SqlNot(
                                new Predicate.Or(
                                        List.of(
                                                new Comparison("i", Comparator.GREATER, 1),
                                                new Predicate.And(
                                                        List.of(
                                                                new Comparison(
                                                                        "s",
                                                                        Comparator.EQUAL,
                                                                        "a,b"),
                                                                new SqlNot(
                                                                        new Predicate.Or(
                                                                                List.of(
                                                                                        new Not(
                                                                                                new Comparison(
                                                                                                        "b",
                                                                                                        Comparator
                                                                                                                .NOT_EQUAL,
                                                                                                        true)))))))))));
    }

    @Test
    void column_withAnyName_isFound() {
        assertThat(filter("and=(limit.eq.1,and.eq.2)"))
                .isEqualTo(
                        new Predicate.And(
                                List.of(
                                        new Comparison("limit", Comparator.EQUAL, 1),
                                        new Comparison("and", Comparator.EQUAL, 2))));
        assertThat(filter("mixed%20case=eq.a"))
                .isEqualTo(new Comparison("Mixed Case", Comparator.EQUAL, "a"));
        assertThat(filter("%22Mixed%20Case%22=eq.a"))
                .isEqualTo(new Comparison("Mixed Case", Comparator.EQUAL, "a"));
        assertThat(filter("x.y=eq.1")).isEqualTo(new Comparison("x.y", Comparator.EQUAL, 1));
        assertThat(filter("and=(%22x.y%22.eq.1)"))
                .isEqualTo(new Predicate.And(List.of(new Comparison("x.y", Comparator.EQUAL, 1))));
        assertThat(filter("or=(%22q%5C%22q%22.eq.1)"))
                .isEqualTo(new Predicate.Or(List.of(new Comparison("q\"q", Comparator.EQUAL, 1))));
        assertThat(plan("select=%22x.y%22,x.y2:x.y&order=x.y.desc,%22x.y%22").order())
                .containsExactly(new Plan.Order("x.y", true, true));
    }

    @Test
    void select_withAliasesAndAll_names() {
        assertThat(items("select=i,%20n:s,%22my%20b%22:b,MIXED%20case"))
                .containsExactly(
                        new Plan.Item("i", "i"),
                        new Plan.Item("s", "n"),
                        new Plan.Item("b", "my b"),
                        new Plan.Item("Mixed Case", "Mixed Case"));
        assertThat(items("select=*")).isEqualTo(items("")).hasSize(TABLE.columns().size());
        assertThat(items("select=again:i,*")).hasSize(TABLE.columns().size() + 1);
    }

    @Test
    void select_ofMoreThanTheTableAndSome_isRefusedWithItsPosition() {
        StringBuilder query = new StringBuilder("select=*");
        for (int i = 0; i < ColumnsGrammar.AGAIN; i++) {
            query.append(",a").append(i).append(":s");
        }
        int most = TABLE.columns().size() + ColumnsGrammar.AGAIN;
        assertThat(items(query.toString())).hasSize(most);
        HttpException error = error(query + ",one:s,two:s");
        assertThat(error.members())
                .containsEntry("type", Problems.TYPE + "too_many_columns")
                .containsEntry("position", query.length() + 1);
        assertThat(error).hasMessageContaining("select at most " + most);
        assertThat(error("select=one:s," + query.substring(7)).members())
                .containsEntry("type", Problems.TYPE + "too_many_columns");
    }

    private static List<Plan.Item> items(String query) {
        return ((Plan.Output.Columns) plan(query).output()).columns();
    }

    @Test
    void order_withoutMore_hasNullsAsPostgresHasThem() {
        assertThat(plan("order=i,s.desc,d.asc.nullsfirst,%20g.desc.nullslast,f.nullsfirst").order())
                .containsExactly(
                        new Plan.Order("i", false, false),
                        new Plan.Order("s", true, true),
                        new Plan.Order("d", false, true),
                        new Plan.Order("g", true, false),
                        new Plan.Order("f", false, true));
    }

    @Test
    void listsOfColumns_withNothingBetweenCommas_leaveItOut() {
        assertThat(items("select=i,")).containsExactly(new Plan.Item("i", "i"));
        assertThat(items("select=,i,,%20,n:s,%20"))
                .containsExactly(new Plan.Item("i", "i"), new Plan.Item("s", "n"));
        assertThat(items("select=")).isEqualTo(items(""));
        assertThat(items("select=,")).isEqualTo(items(""));
        assertThat(plan("order=,i.desc,,s,").order())
                .containsExactly(
                        new Plan.Order("i", true, true), new Plan.Order("s", false, false));
        assertThat(plan("order=").order()).isEmpty();
    }

    @Test
    void conditionsAndValues_beyondTheirLimits_areRefused() {
        String conditions = "i.eq.1,".repeat(FilterGrammar.MAX_CONDITIONS - 1) + "i.eq.1";
        assertThat(((Predicate.Or) filter("or=(" + conditions + ")")).any())
                .hasSize(FilterGrammar.MAX_CONDITIONS);
        String values = "1,".repeat(FilterGrammar.MAX_VALUES - 1) + "1";
        assertThat(((In) filter("i=in.(" + values + ")")).values())
                .hasSize(FilterGrammar.MAX_VALUES);
        for (String query : List.of("or=(" + conditions + ",i.eq.1)", "i=in.(" + values + ",1)")) {
            HttpException error = catchThrowableOfType(HttpException.class, () -> plan(query));
            assertThat(error.status()).isEqualTo(413);
            assertThat(error.members())
                    .containsEntry("type", Problems.TYPE + "too_many_values")
                    .containsEntry("code", "54000");
        }
    }

    @Test
    void errors_haveTheMembersOfPostgrest() {
        assertThat(error("nope=eq.1&i=eq.1").members())
                .containsEntry("code", "42703")
                .containsEntry("message", "table t has no column \"nope\"")
                .containsEntry("details", "position 0 of the query");
        assertThat(error("i=eq.abc").members())
                .containsEntry("code", "22P02")
                .containsEntry("hint", "write a whole number from -2147483648 to 2147483647");
        assertThat(error("i=foo.1").members()).containsEntry("code", "PGRST100");
        assertThat(error("s=like.a*").members()).containsEntry("code", "PGRST127");
        assertThat(error("limit=-1").members()).containsEntry("code", "PGRST103");
    }

    @Test
    void slices_offsetThenLimit() {
        assertThat(plan("limit=5&offset=745").slices())
                .containsExactly(new Plan.Slice.Skip(745), new Plan.Slice.Limit(5));
        assertThat(plan("limit=0&offset=0").slices()).containsExactly(new Plan.Slice.Limit(0));
        assertThat(plan("limit=9223372036854775807").slices())
                .containsExactly(new Plan.Slice.Limit(Long.MAX_VALUE));
        assertThat(plan("format=csv&&").slices()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=-1 | bad_limit | 6",
                "limit= | bad_limit | 6",
                "limit=1e3 | bad_limit | 6",
                "limit=9223372036854775808 | bad_limit | 6",
                "offset=-1 | bad_offset | 7",
                "limit=eq.5 | bad_limit | 6",
                "limit=1&limit=2 | duplicate_parameter | 8",
                "nope=eq.1 | unknown_column | 0",
                "i=eq.1&nope=eq.1 | unknown_column | 7",
                "select=i,nope | unknown_column | 9",
                "order=nope.desc | unknown_column | 6",
                "and=(i.eq.1,nope.eq.2) | unknown_column | 12",
                "i=5 | unknown_operator | 2",
                "i= | unknown_operator | 2",
                "i=foo.5 | unknown_operator | 2",
                "i=not.not.eq.5 | unknown_operator | 6",
                "s=like.a* | unsupported_operator | 2",
                "s=not.ilike.a* | unsupported_operator | 6",
                "i=eq(any).{1,2} | unsupported_operator | 2",
                "s=fts(english).a | unsupported_operator | 2",
                "i=in.1 | malformed | 5",
                "i=in.(1 | malformed | 7",
                "i=in.(1)2 | malformed | 8",
                "s=in.(%22a) | malformed | 6",
                "and=i.eq.1 | malformed | 4",
                "and=(i.eq.1 | malformed | 11",
                "and=(i.eq.1)x | malformed | 12",
                "or=() | malformed | 4",
                "and=(i) | malformed | 6",
                "and=(i.eq.1,) | malformed | 12",
                "select=i::text | unsupported | 8",
                "select=a:i::text | unsupported | 10",
                "select=rel(*) | unsupported | 10",
                "select=s-%3Ea | unsupported | 7",
                "select=i,i | duplicate_column | 9",
                "select=:i | malformed | 7",
                "select=a,n:s,n:i | unknown_column | 7",
                "order=i.sideways | malformed | 7",
                "order=i.desc.asc | malformed | 7",
                "order=%22i%22x | malformed | 6",
                "s-%3Ea=eq.1 | unsupported | 0"
            })
    void query_thatIsWrong_isRefusedWithCodeAndPosition(String query, String code, int position) {
        HttpException error = error(query);
        assertThat(error.members())
                .as(error.getMessage())
                .containsEntry("type", Problems.TYPE + code)
                .containsEntry("position", position);
    }

    @Test
    void errors_sayWhatIsThere() {
        assertThat(error("mixed_case=eq.1")).hasMessageContaining("there is Mixed Case");
        assertThat(error("zzzzzz=eq.1")).hasMessageContaining("its columns are i, l, d,");
        assertThat(error("s=like.a"))
                .hasMessageContaining("not supported yet")
                .hasMessageContaining("eq, neq, gt, gte, lt, lte, in, is");
        assertThat(error("limit=eq.1")).hasMessageContaining("and=(limit.eq.1)");
        assertThat(error("i=eq." + "9".repeat(500)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }

    @ParameterizedTest
    @ValueSource(ints = {51, 3000})
    void tree_nestedTooDeep_isRefused(int depth) {
        String query = "and=(" + "or(".repeat(depth) + "i.eq.1" + ")".repeat(depth + 1);
        assertThat(error(query).members()).containsEntry("type", Problems.TYPE + "too_deep");
    }
}
