package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.net.URI;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XPathQueryTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a[|3",
                "a b|3",
                "1 +|4",
                "//|3",
                "a/'x'|4",
                "child::a/foo::b|10",
                "a!b|2",
                "a:b:c|4",
                "text('x')|7",
                "'abc|1",
                "#|1",
                "``|1"
            })
    void expression_thatIsWrong_isRefusedWithThePosition(String expression, int position) {
        assertRefused(expression == null ? "" : expression)
                .hasMessageContaining("is wrong at position " + position + ": ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "count('a')!7",
                "count(//a) + count( 'a')!21",
                "sum(1)!5",
                "name(true())!6",
                "'a'[1]!1",
                "(1)[1]!2",
                "1|2!1",
                "1 | //a!1",
                "//a | 'b'!7",
                "//a[. = 'b'] | //c | (d = 1)!23",
                "string(//a)/b!1",
                "/r * (* * 2)/b!7",
                "div[div div div]/or | (-mod)!25",
                "processing-instruction('x') | 'y'!31",
                "child::text() | @p:* | text () | $s!35",
                "$s/a!2",
                "/r[$s/a]!5"
            })
    void expression_withSomethingElseForNodes_isRefusedWithThePosition(
            String expression, int position) {
        assertRefused(expression)
                .hasMessageContaining("something other than a node-set at position " + position);
    }

    @ParameterizedTest
    @CsvSource({"p:,1", "@p:,2", "//p:,3", "a/p:,3"})
    void name_withoutLocalPart_isRefused(String expression, int position) {
        assertRefused(expression)
                .hasMessageContaining("the prefix p without a local name at position " + position);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            quoteCharacter = '`',
            value = {
                "q/p:a/q:b!an unknown prefix 'q'!7",
                "t/t[@t = $t]!an unknown variable 't'!11",
                "f/f = f()!an unknown function f()!7",
                "name[name(//a, 1)]!name() with 2 arguments!6",
                "not(1) or not()!not() with 0 arguments!11"
            })
    void name_thatStandsForSeveralThings_isNamedWithItsOwnPosition(
            String expression, String problem, int position) {
        assertRefused(expression)
                .hasMessageContaining(problem)
                .hasMessageContaining("at position " + position);
    }

    @Test
    void prefix_thatIsNotBound_isNamedWithItsPosition() {
        assertRefused("//p:a[.='q:']/q:b")
                .hasMessage(
                        "The expression //p:a[.='q:']/q:b has an unknown prefix 'q' at position 15;"
                                + " bound prefixes: [p]");
    }

    @Test
    void variable_thatIsNotBound_isNamedWithoutAnyValue() {
        assertRefused("//a[.=$t]")
                .hasMessage(
                        "The expression //a[.=$t] has an unknown variable 't' at position 8; bound variables: [s]");
    }

    @Test
    void function_thatIsUnknown_isNamed() {
        assertRefused("1 + matches('a','b')")
                .hasMessage(
                        "The expression 1 + matches('a','b') calls an unknown function matches() at position 5;"
                                + " there are those of XPath 1.0");
    }

    @Test
    void function_withWrongNumberOfArguments_isNamed() {
        assertRefused("concat('a')")
                .hasMessage(
                        "The expression concat('a') calls concat() with 1 arguments at position 1; it takes 2 or more");
    }

    @Test
    void variable_withQuotesInItsValue_isOneString() {
        Map<String, Object> variables = Map.of("v", "x'] | //secret | /r['");
        XPathQuery query = XPathQuery.compile("/r/a[.=$v]", Map.of(), variables);
        assertThat(query.matches(XmlNodes.tree("<r><a>x</a><secret/></r>"))).isFalse();
        assertThat(query.matches(XmlNodes.tree("<r><a>x'] | //secret | /r['</a></r>"))).isTrue();
    }

    @Test
    void variable_ofAnotherType_isRefused() {
        assertThatThrownBy(() ->
                        XPathQuery.compile("$v", Map.of(), Map.of("v", URI.create("top-secret"))))
                .isInstanceOf(DocumentException.class)
                .hasMessage(
                        "The variable $v of the expression $v is bound to a java.net.URI;"
                                + " bind a string, number or boolean");
    }

    @Test
    void expression_longerThanTheLimit_isRefused() {
        assertThatThrownBy(() -> compile("a" + "/a".repeat(4_000)))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessage("An expression has 8,001 characters; shorten it to 8,000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "a[", "-", "1+", "1=", "not("})
    void expression_nestedDeeperThanTheLimit_isRefused(String opening) {
        String closing = opening.endsWith("(") ? ")" : opening.endsWith("[") ? "]" : "";
        String expression = opening.repeat(1_500) + "a" + closing.repeat(1_500);
        assertThatThrownBy(() -> compile(expression))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageStartingWith("An expression is nested more than 200 deep at ");
    }

    @ParameterizedTest
    @ValueSource(strings = {" or a", " and a", "|a", "/a", "[1]"})
    void expression_thatIsLongButFlat_isEvaluated(String repeated) {
        assertThat(compile("a" + repeated.repeat(1_000)).matches(XmlNodes.tree("<a/>")))
                .isEqualTo(!repeated.equals("/a"));
    }

    @Test
    void evaluation_thatVisitsTooManyNodes_isRefused() {
        NodeTree tree = XmlNodes.tree("<r>" + "<a/>".repeat(1_000) + "</r>");
        XPathQuery query = compile("//a/following::a/preceding::a");
        assertThatThrownBy(() -> query.evaluate(tree, 100_000))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessage(
                        "The expression visits more than 100,000 nodes of one document; make its steps more specific");
    }

    @Test
    void namespace_ofTheEmptyPrefix_isRefused() {
        assertThatThrownBy(() -> XPathQuery.compile("a", Map.of("", "u"), Map.of()))
                .isInstanceOf(DocumentException.class)
                .hasMessageContaining("XPath 1.0 has no default namespace");
    }

    @Test
    void zero_dividedInto_keepsItsSign() {
        NodeTree tree = XmlNodes.tree("<r/>");
        assertThat(compile("1 div round(-0.2)").evaluate(tree))
                .isEqualTo(new XPathResult.Num(Double.NEGATIVE_INFINITY));
        assertThat(compile("1 div ceiling(-0.5)").evaluate(tree))
                .isEqualTo(new XPathResult.Num(Double.NEGATIVE_INFINITY));
        assertThat(compile("1 div -0").evaluate(tree))
                .isEqualTo(new XPathResult.Num(Double.NEGATIVE_INFINITY));
    }

    private static XPathQuery compile(String expression) {
        return XPathQuery.compile(expression, Map.of("p", "urn:p"), Map.of("s", "top secret"));
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
            String expression) {
        return assertThatThrownBy(() -> compile(expression))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XPATH))
                .hasMessageNotContaining("top secret");
    }
}
