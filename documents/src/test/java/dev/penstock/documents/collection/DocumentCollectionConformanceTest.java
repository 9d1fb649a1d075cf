package dev.penstock.documents.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.format.Canonical;
import dev.penstock.documents.format.RandomXml;
import dev.penstock.documents.store.TestStore;
import dev.penstock.documents.store.TestStore.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every store gives XML back canonically equal, and finds it by XPath and by its own paths. */
class DocumentCollectionConformanceTest {
    private static final String ANNA =
            "<person><name>Anna</name><hobbies><hobby>tv</hobby><hobby>chess</hobby></hobbies></person>";
    private static final String BERT =
            "<person id=\"7\"><name>Bert</name><hobbies><hobby>tv</hobby></hobbies></person>";
    private static final String CLEO =
            "<p:person xmlns:p=\"urn:p\"><p:name>Cleo</p:name><hobbies><hobby lang='en'>tv</hobby>"
                    + "</hobbies></p:person>";

    private static final List<String> HARD =
            List.of(
                    "<r><b/><a>1</a><b>2</b></r>",
                    "<p>Hi <b>x</b> and <b>y</b>!</p>",
                    "<a:feed xmlns:a=\"urn:u\"><a:id/></a:feed>",
                    "<e> </e>",
                    "<e a=\"\"/>",
                    "<e a=\"1\"> </e>",
                    "<r><a.b/><abcd/></r>",
                    "<r><ab/><é/></r>",
                    "<?xml version='1.0' encoding='ISO-8859-1'?><!--b--><?x y?><r/><!--after--><?z?>",
                    "<r xmlns='urn:u'><a xmlns=''><b xmlns='urn:v'/></a></r>",
                    "<r>\n  <a>1</a>\n  <a>2</a>\n</r>\n",
                    "<r><![CDATA[<x>]]>&#x1F600;&#9;&#13;\"\\'%$</r>",
                    "<null>null</null>",
                    "<doc><id>1</id><version/><parts/></doc>",
                    deep(40),
                    deep(400));

    private static String deep(int depth) {
        return "<a>".repeat(depth) + "<b/><b>x</b>" + "</a>".repeat(depth);
    }

    private static String canonical(XmlDocument document) throws Exception {
        var out = new ByteArrayOutputStream();
        document.writeXml(out);
        return Canonical.of(out.toByteArray());
    }

    private static List<String> ids(Stream<XmlDocument> found) {
        try (found) {
            return found.map(XmlDocument::id).toList();
        }
    }

    private static InputStream stream(String xml) {
        return new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @EnumSource
    void insert_hardAndRandomDocuments_comeBackCanonicallyEqual(Kind kind) throws Exception {
        long seed = ThreadLocalRandom.current().nextLong();
        var documents = new ArrayList<>(HARD);
        for (int i = 0; i < 60; i++) {
            documents.add(RandomXml.next(new Random(seed + i)));
        }
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection collection = store.documents().collection("hard");
            var stored = new LinkedHashMap<String, String>();
            for (String document : documents) {
                stored.put(collection.insert(document), document);
            }
            for (Map.Entry<String, String> each : stored.entrySet()) {
                XmlDocument back = collection.get(each.getKey()).orElseThrow();
                assertThat(canonical(back))
                        .as("seed %dL: %s", seed, each.getValue())
                        .isEqualTo(Canonical.of(each.getValue()));
            }
            assertThat(ids(collection.all())).containsExactlyElementsOf(stored.keySet());
        }
    }

    private static DocumentCollection people(TestStore store) {
        DocumentCollection people = store.documents().collection("people");
        people.put("anna", ANNA);
        people.put("bert", stream(BERT), DocumentCollection.ABSENT);
        people.put("cleo", CLEO, 0);
        return people;
    }

    @ParameterizedTest
    @EnumSource
    void version_ofADocument_isThatOfTheLastWrite(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            long written = people.put("anna", ANNA);
            assertThat(people.version("anna")).hasValue(written);
            assertThat(people.get("anna").orElseThrow().version()).isEqualTo(written);
            assertThat(people.delete("anna")).isTrue();
            assertThat(people.version("anna")).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void id_thatNoDocumentCanHave_isRefusedByEveryMethod(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            for (String id : List.of("", "a b", "\0", "\u007f", "\u00e9", "x".repeat(201))) {
                List<ThrowingCallable> calls =
                        List.of(
                                () -> people.get(id),
                                () -> people.version(id),
                                () -> people.put(id, ANNA),
                                () -> people.put(id, stream(ANNA), DocumentCollection.ABSENT),
                                () -> people.delete(id),
                                () -> people.delete(id, 1));
                assertThat(calls)
                        .allSatisfy(call ->
                                assertThatThrownBy(call)
                                        .isInstanceOf(IllegalArgumentException.class)
                                        .hasMessageContaining(
                                                "use 1 to 200 printable characters of ASCII"));
            }
            String longest = "!~/%?".repeat(40);
            people.put(longest, ANNA);
            assertThat(people.get(longest)).isPresent();
            assertThat(people.delete(longest)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_byXPathAndByPath_givesTheSame(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            assertThat(ids(people.find("/person/hobbies/hobby = 'tv'")))
                    .containsExactly("anna", "bert");
            assertThat(ids(people.findByPath("person.hobbies.hobby = tv")))
                    .containsExactly("anna", "bert");
            assertThat(ids(people.findByPath("person.name='Bert'"))).containsExactly("bert");
            assertThat(ids(people.findByPath("person.@id"))).containsExactly("bert");
            assertThat(ids(people.find("//hobby[@lang]"))).containsExactly("cleo");
            assertThat(ids(people.find("//hobby[. = 'chess']"))).containsExactly("anna");
            assertThat(ids(people.find("count(//hobby) > 1"))).containsExactly("anna");
            assertThat(ids(people.find("//hobby[2]"))).containsExactly("anna");
            assertThat(ids(people.find("not(/person/@id)"))).containsExactly("anna", "cleo");
            assertThat(
                            ids(
                                    people.find(
                                            "/q:person[q:name = $who]",
                                            Map.of("q", "urn:p"),
                                            Map.of("who", "Cleo"))))
                    .containsExactly("cleo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void select_nodesAndValues_inDocumentOrder(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            try (Stream<FoundNode> nodes = people.select("//hobby")) {
                assertThat(nodes.map(node -> node.documentId() + " " + node.xml()))
                        .containsExactly(
                                "anna <hobby>tv</hobby>",
                                "anna <hobby>chess</hobby>",
                                "bert <hobby>tv</hobby>",
                                "cleo <hobby xmlns:p=\"urn:p\" lang=\"en\">tv</hobby>");
            }
            try (Stream<FoundNode> nodes = people.select("/person/@id")) {
                assertThat(nodes)
                        .containsExactly(new FoundNode("bert", "attribute", "id", "7", null));
            }
            try (Stream<FoundNode> nodes = people.select("count(//hobby)")) {
                assertThat(nodes.map(FoundNode::text)).containsExactly("2", "1", "1");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void explain_pushedAndLeft_areTold(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            assertThat(people.explain("/person/name = 'Bert'").toString())
                    .contains("No index serves: every document is looked at");
            people.index("person.name");
            Explanation explanation = people.explain("/person/name = 'Bert'");
            assertThat(explanation.indexes()).containsExactly("person.name");
            assertThat(explanation.condition()).doesNotContain("Bert");
            assertThat(explanation.exact()).isEqualTo(kind != Kind.MONGODB);
            assertThat(ids(people.find("/person/name = 'Bert'"))).containsExactly("bert");
            Explanation counted = people.explain("count(//hobby) > 1");
            assertThat(counted.exact()).isFalse();
            assertThat(counted.toString()).contains("Filtered afterwards: the whole expression");
        }
    }

    @ParameterizedTest
    @EnumSource
    void explain_alternativeThatNoDocumentCanHave_leavesTheIndexOfTheOther(Kind kind)
            throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            people.index("person.name");
            String either = "/person/name = $no or /person/name = 'Bert'";
            String neither = "/person[name = $no and name = 'Bert']";
            Map<String, Object> impossible = Map.of("no", "a\0b");
            Explanation explained = people.explain(either, Map.of(), impossible);
            assertThat(explained.indexes()).containsExactly("person.name");
            assertThat(ids(people.find(either, Map.of(), impossible))).containsExactly("bert");
            assertThat(ids(people.find(neither, Map.of(), impossible))).isEmpty();
            assertThat(ids(people.find("not(" + neither + ")", Map.of(), impossible)))
                    .containsExactly("anna", "bert", "cleo");
        }
    }

    /** As many paths as one location path may lead to, some of them of many keys. */
    @ParameterizedTest
    @EnumSource
    void find_amongAThousandPaths_isAnswered(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection many = store.documents().collection("many");
            String wide =
                    IntStream.range(0, 999)
                            .mapToObj("<e%d>x</e%<d>"::formatted)
                            .collect(Collectors.joining("", "<r>", "</r>"));
            many.put("wide", wide);
            many.put("one", "<r><e7>y</e7></r>");
            many.put("deep", "<r>" + "<d>".repeat(180) + "y" + "</d>".repeat(180) + "</r>");
            assertThat(ids(many.find("/r/* = 'y'"))).containsExactly("deep", "one");
            assertThat(ids(many.find("/r[* = 'y' or d//d = 'y' or d[d//d = 'y']]")))
                    .containsExactly("deep", "one");
            assertThat(ids(many.find("not(/r/* = 'x')"))).containsExactly("deep", "one");
            assertThat(ids(many.find("//d[. = 'y']/ancestor::r"))).containsExactly("deep");
        }
    }

    @ParameterizedTest
    @EnumSource
    void explain_indexThatDoesNotServe_isTold(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            people.index("person.name");
            people.index("person.@id");
            Explanation beginning = people.explain("/person[starts-with(name, 'B')]");
            boolean serves = kind != Kind.POSTGRESQL && kind != Kind.MONGODB;
            List<String> name = List.of("person.name");
            assertThat(beginning.indexes()).isEqualTo(serves ? name : List.of());
            assertThat(beginning.unused()).isEqualTo(serves ? List.of() : name);
            Explanation compared = people.explain("/person/@id > 6");
            assertThat(compared.indexes()).isEmpty();
            assertThat(compared.toString())
                    .contains("No index serves", "Indexes that do not serve this: person.@id")
                    .contains("comparisons other than of a path and a string for equality");
            assertThat(ids(people.find("/person/@id > 6"))).containsExactly("bert");
            assertThat(people.explain("/person/name = 'Bert'").unused()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_besideDeepDocuments_isServedAsWithoutThem(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            people.index("person.name");
            people.put("deep", deep(300));
            people.put("deeper", deep(3_000));
            Explanation explained = people.explain("/person/name = 'Bert'");
            assertThat(explained.indexes()).containsExactly("person.name");
            assertThat(explained.exact()).isEqualTo(kind != Kind.MONGODB);
            assertThat(ids(people.find("/person/name = 'Bert'"))).containsExactly("bert");
            assertThat(ids(people.find("//b = 'x'"))).containsExactly("deep", "deeper");
            assertThat(ids(people.find("//name = 'Anna' or count(//b) = 2")))
                    .containsExactly("anna", "deep", "deeper");
            assertThat(ids(people.find("not(//b)"))).containsExactly("anna", "bert", "cleo");
            assertThat(people.explain("//b = 'x'").afterwards())
                    .contains("paths that are too deep or too many to be summarized");
        }
    }

    @ParameterizedTest
    @EnumSource
    void load_recordsOfALargeDocument_areDocumentsOfTheirOwn(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection items = store.documents().collection("items");
            String xml =
                    "<o:root xmlns:o='urn:o' xmlns='urn:d'><!--x--><item n='1'/><other/>"
                            + "<item n='2' xmlns=''>t<o:in/></item><g><item/></g></o:root>";
            var ids = new ArrayList<String>();
            assertThat(items.load(stream(xml), "/o:root/item", ids::add)).isEqualTo(2);
            assertThat(ids(items.all())).isEqualTo(ids);
            assertThat(canonical(items.get(ids.get(0)).orElseThrow()))
                    .isEqualTo("<item xmlns=\"urn:d\" xmlns:o=\"urn:o\" n=\"1\"></item>");
            assertThat(canonical(items.get(ids.get(1)).orElseThrow()))
                    .isEqualTo("<item xmlns:o=\"urn:o\" n=\"2\">t<o:in></o:in></item>");
        }
    }

    @ParameterizedTest
    @EnumSource
    void load_manyAndThenAFailure_thoseBeforeStayAndAreFound(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection items = store.documents().collection("items");
            items.index("item.@n");
            String large = "x".repeat(50_000);
            String xml =
                    IntStream.range(0, 450)
                            .mapToObj(n ->
                                    "<item n='%d'>%s</item>".formatted(n, n == 7 ? large : "a"))
                            .collect(Collectors.joining("", "<root>", "<broken></root>"));
            var ids = new ArrayList<String>();
            assertThatThrownBy(() -> items.load(stream(xml), "/root/item", ids::add))
                    .isInstanceOf(DocumentException.class);
            assertThat(ids).hasSize(450);
            assertThat(ids(items.all())).isEqualTo(ids);
            for (int n : new int[] {0, 7, 8, 449}) {
                assertThat(ids(items.findByPath("item.@n = " + n))).containsExactly(ids.get(n));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void insert_whatIsNotWellFormed_writesNothing(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection people = people(store);
            assertThatThrownBy(() -> people.insert("<a>\n<b></a>"))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining("line 2");
            assertThatThrownBy(() -> ids(people.find("/person[")))
                    .isInstanceOfSatisfying(
                            DocumentException.class,
                            e -> assertThat(e.kind()).isEqualTo(DocumentException.Kind.XPATH));
            assertThatThrownBy(() -> people.findByPath("person..name"))
                    .hasMessageContaining("has an empty key");
            assertThat(ids(people.all())).containsExactly("anna", "bert", "cleo");
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_anotherProcessBroughtNewPaths_seesThem(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection mine = people(store);
            assertThat(ids(mine.find("//shoe"))).isEmpty();
            DocumentCollection other = store.another().collection("people");
            other.put("dora", "<person><wears><shoe>red</shoe></wears></person>");
            assertThat(ids(mine.find("//shoe = 'red'"))).containsExactly("dora");
        }
    }
}
