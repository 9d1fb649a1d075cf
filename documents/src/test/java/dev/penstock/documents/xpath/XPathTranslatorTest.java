package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoreFilter.And;
import dev.penstock.documents.store.StoreFilter.Contains;
import dev.penstock.documents.store.StoreFilter.Equal;
import dev.penstock.documents.store.StoreFilter.Everything;
import dev.penstock.documents.store.StoreFilter.Exists;
import dev.penstock.documents.store.StoreFilter.Not;
import dev.penstock.documents.store.StoreFilter.Nothing;
import dev.penstock.documents.store.StoreFilter.Or;
import dev.penstock.documents.store.StoreFilter.StartsWith;
import dev.penstock.documents.xpath.translate.Translation;
import dev.penstock.documents.xpath.translate.XPathTranslator;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class XPathTranslatorTest {
    private static final String PERSON =
            "<person id='1'><name>Ann</name><hobbies><hobby>tv</hobby><hobby>chess</hobby></hobbies>"
                    + "<address kind='home'><city>Ulm</city><street>A</street></address>"
                    + "<address kind='work'><city>Bonn</city><street>B</street></address></person>";

    @Test
    void equality_ofLeaf_isExact() {
        assertExact("/person/name = 'Ann'", equal("Ann", "person", "name"));
        assertExact("/person[name='Ann']", equal("Ann", "person", "name"));
        assertExact("/person/name[.='Ann']", equal("Ann", "person", "name"));
        assertExact("/person/name[text()='Ann']", equal("Ann", "person", "name"));
        assertExact("'tv' = /person/hobbies/hobby", equal("tv", "person", "hobbies", "hobby"));
        assertExact("//hobby[.=$v]", equal("x", "person", "hobbies", "hobby"));
    }

    @Test
    void equality_ofAttribute_isExact() {
        assertExact("/person[@id='1']", equal("1", "person", "@id"));
        assertExact("//@kind[.='home']", equal("home", "person", "address", "@kind"));
        assertExact(
                "//@*='1'",
                new Or(
                        List.of(
                                equal("1", "person", "@id"),
                                equal("1", "person", "address", "@kind"))));
    }

    @Test
    void existence_ofPath_isExact() {
        assertExact("/person/hobbies/hobby", exists("person", "hobbies", "hobby"));
        assertExact("//city", exists("person", "address", "city"));
        assertExact("/", new Everything());
    }

    @Test
    void path_thatNoDocumentHas_findsNothingExactly() {
        assertExact("/person/phone", new Nothing());
        assertExact("/customer", new Nothing());
        assertExact("/person[phone or name='Ann']", equal("Ann", "person", "name"));
    }

    @Test
    void conditions_onTheRootElement_areExact() {
        assertExact(
                "/person[name='Ann' and hobbies/hobby='tv']",
                new And(
                        List.of(
                                equal("Ann", "person", "name"),
                                equal("tv", "person", "hobbies", "hobby"))));
        assertExact(
                "/person[not(name='Ann')]",
                new And(List.of(exists("person"), new Not(equal("Ann", "person", "name")))));
        assertExact("not(//hobby='tv')", new Not(equal("tv", "person", "hobbies", "hobby")));
    }

    @Test
    void conditions_onRepeatedElements_areASuperset() {
        assertSuperset(
                "/person/address[city='Ulm' and street='B']",
                new And(
                        List.of(
                                equal("Ulm", "person", "address", "city"),
                                equal("B", "person", "address", "street"))),
                "conditions on repeated elements may be met by different ones");
        assertSuperset(
                "/person/address[not(city='Ulm')]",
                exists("person", "address"),
                "not() is not asked of the store where its operand is not exact or is repeated");
        assertSuperset(
                "/person/address[city='Ulm']/street",
                new And(
                        List.of(
                                equal("Ulm", "person", "address", "city"),
                                exists("person", "address", "street"))),
                "conditions on repeated elements may be met by different ones");
    }

    @Test
    void functions_ofOneNode_areExact() {
        assertExact(
                "/person[starts-with(name, 'A')]", new StartsWith(List.of("person", "name"), "A"));
        assertExact(
                "//address[contains(city, 'l')]",
                new Contains(List.of("person", "address", "city"), "l"));
    }

    @Test
    void functions_ofTheFirstOfSeveralNodes_areASuperset() {
        assertSuperset(
                "contains(//hobby, 't')",
                new Contains(List.of("person", "hobbies", "hobby"), "t"),
                "a function is applied to the first of several nodes only");
    }

    @Test
    void element_withElementsInIt_isComparedAfterwards() {
        assertSuperset(
                "/person/hobbies = 'tvchess'",
                exists("person", "hobbies"),
                "the path person.hobbies has elements whose text is not stored as one");
    }

    @Test
    void leaf_withTextInRuns_isComparedAfterwards() {
        assertThat(translate("/a='xy'", "<a>x<!--c-->y</a>", "<a>xy</a>").filter())
                .isEqualTo(exists("a"));
        assertThat(translate("/a='x'", "<a> <?p?></a>").exact()).isFalse();
        assertThat(translate("/a='x'", "<a>x<?p?></a>").exact()).isTrue();
        assertThat(translate("/a/@b[text()='x']", "<a b='x'/>").exact()).isFalse();
    }

    @Test
    void comparison_otherThanEquality_asksForExistence() {
        String reason =
                "comparisons other than of a path and a string for equality are not asked of the store";
        assertSuperset("/person/name != 'Ann'", exists("person", "name"), reason);
        assertSuperset("/person/@id > 0", exists("person", "@id"), reason);
        assertSuperset("/person/@id = 1", exists("person", "@id"), reason);
    }

    @Test
    void position_inPredicate_asksForExistence() {
        assertSuperset(
                "//hobby[1]",
                exists("person", "hobbies", "hobby"),
                "positions are not asked of the store");
    }

    @Test
    void expression_thatSaysNothingOfPaths_findsEverything() {
        assertSuperset(
                "count(//hobby) > 2",
                new Everything(),
                "comparisons without a node-set are not asked of the store");
        assertSuperset(
                "//text()",
                new Everything(),
                "a step on the axis descendant is not followed in the store");
    }

    @Test
    void booleans_comparedWithExistence_areExact() {
        assertExact("boolean(//hobby)", exists("person", "hobbies", "hobby"));
        assertExact("//hobby = false()", new Not(exists("person", "hobbies", "hobby")));
        assertExact("true()", new Everything());
        assertExact("''", new Nothing());
    }

    @Test
    void name_underSeveralPrefixes_isExpanded() {
        Translation translation =
                translate(
                        "//p:b='x'",
                        "<a xmlns:k='urn:p'><k:b>1</k:b></a>",
                        "<a xmlns:m='urn:p'><m:b>1</m:b></a>",
                        "<a xmlns='urn:p'><b>1</b></a>",
                        "<a xmlns:p='urn:other'><p:b>1</p:b></a>");
        assertThat(translation.exact()).isTrue();
        assertThat(translation.filter())
                .isEqualTo(
                        new Or(
                                List.of(
                                        equal("x", "a", "k:b"),
                                        equal("x", "a", "m:b"),
                                        equal("x", "a", "b"))));
    }

    @Test
    void key_thatStandsForSeveralNames_isASuperset() {
        Translation translation =
                translate(
                        "//p:b='x'",
                        "<a xmlns:k='urn:p'><k:b>1</k:b></a>",
                        "<a xmlns:k='urn:q'><k:b>1</k:b></a>");
        assertThat(translation)
                .isEqualTo(
                        new Translation(
                                equal("x", "a", "k:b"),
                                false,
                                "the key k:b stands for several names"));
    }

    @Test
    void name_withPoint_isStoredEscaped() {
        assertThat(translate("/a.b/@c.d='1'", "<a.b c.d='1'/>").filter())
                .isEqualTo(equal("1", "a%2Eb", "@c%2Ed"));
    }

    @Test
    void summary_thatOverflows_pushesNothing() {
        String[] documents =
                IntStream.rangeClosed(0, PathSummary.Bounds.DEFAULTS.paths())
                        .mapToObj(i -> "<e" + i + "/>")
                        .toArray(String[]::new);
        assertThat(translate("/nothing", documents))
                .isEqualTo(
                        new Translation(
                                new Everything(),
                                false,
                                "the collection has too many root elements to be summarized"));
    }

    @Test
    void summary_ofDeepDocuments_isExactAboveThem() {
        String deep = "<a>".repeat(300) + "<b>x</b>" + "</a>".repeat(300);
        String[] documents = {PERSON, deep};
        assertThat(translate("/person[name='Ann']", documents))
                .isEqualTo(new Translation(equal("Ann", "person", "name"), true, ""));
        StoreFilter cut = new Exists(Collections.nCopies(200, "a"));
        assertThat(translate("//b='x'", documents))
                .isEqualTo(
                        new Translation(
                                cut,
                                false,
                                "the collection has paths that are too deep or too many to be summarized"));
        assertThat(translate("//name[.='Ann']", documents).filter())
                .isEqualTo(new Or(List.of(equal("Ann", "person", "name"), cut)));
        assertThat(translate("/a/a/a/b", documents).filter()).isEqualTo(new Nothing());
    }

    /** Each is counted once, as long as there are no more than a walk may lead to. */
    @Test
    void pathsThatAreCut_areCountedOnce() {
        var summary = new PathSummary(new PathSummary.Bounds(10_000, 2, 1_000_000, 100, 5_000));
        String xml =
                IntStream.range(0, 600)
                        .mapToObj(i -> "<a%d><b/></a%d>".formatted(i, i))
                        .collect(Collectors.joining("", "<r>", "</r>"));
        XmlNodes.read(xml, summary.recorder());
        for (String expression : List.of("//@x", "//x[1]", "//x", "/descendant::x")) {
            XPathQuery query = XPathQuery.compile(expression, Map.of(), Map.of());
            Translation translation = XPathTranslator.translate(query, summary);
            assertThat(translation.filter())
                    .as(expression)
                    .isInstanceOfSatisfying(Or.class, or -> assertThat(or.any()).hasSize(600));
            assertThat(translation.explanation()).doesNotContain("paths fit");
        }
    }

    @Test
    void key_ofTooManyNames_isASuperset() {
        String[] documents =
                IntStream.rangeClosed(0, PathSummary.Bounds.DEFAULTS.names())
                        .mapToObj(i -> "<r><a xmlns='urn:%d'>1</a></r>".formatted(i))
                        .toArray(String[]::new);
        assertThat(translate("/r/p:a='x'", documents))
                .isEqualTo(
                        new Translation(
                                equal("x", "r", "a"),
                                false,
                                "the key a stands for too many names"));
    }

    private static void assertExact(String expression, StoreFilter filter) {
        assertThat(translate(expression, PERSON))
                .as(expression)
                .isEqualTo(new Translation(filter, true, ""));
    }

    private static void assertSuperset(String expression, StoreFilter filter, String explanation) {
        assertThat(translate(expression, PERSON))
                .as(expression)
                .isEqualTo(new Translation(filter, false, explanation));
    }

    private static Translation translate(String expression, String... documents) {
        PathSummary summary = new PathSummary();
        for (String document : documents) {
            XmlNodes.read(document, summary.recorder());
        }
        return XPathTranslator.translate(
                XPathQuery.compile(expression, Map.of("p", "urn:p"), Map.of("v", "x")), summary);
    }

    private static StoreFilter equal(String text, String... path) {
        return new Equal(List.of(path), text);
    }

    private static StoreFilter exists(String... path) {
        return new Exists(List.of(path));
    }
}
