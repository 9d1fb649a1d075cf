package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.XmlDocument;
import dev.penstock.documents.store.TestStore;
import dev.penstock.documents.store.TestStore.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random expressions on random collections of every store, with indexes and beside a deep document: those documents are
 * found on which the expression is true. More with {@code -Dpenstock.soak=true}.
 */
class CollectionSearchConformanceTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int COLLECTIONS = SOAK ? 100 : 2;
    private static final int DOCUMENTS = 12;
    private static final int EXPRESSIONS = SOAK ? 100 : 25;
    private static final Map<String, String> NAMESPACES = Map.of("p", "urn:p", "q", "urn:q");
    private static final Map<String, Object> VARIABLES = Map.of("t", "x");
    private static final List<String> INDEXES =
            List.of("r.a", "r.b", "r.a.b", "r.@c", "r.a.@id", "r.p:a", "r.d%2Ee");

    @ParameterizedTest
    @EnumSource
    void find_randomExpression_findsTheDocumentsOnWhichItIsTrue(Kind kind) throws Exception {
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        Random random = new Random(seed);
        try (TestStore store = TestStore.create(kind)) {
            for (int i = 0; i < COLLECTIONS; i++) {
                RandomXml mixed = new RandomXml(random);
                RandomExpressions any = new RandomExpressions(random);
                check(store, "m" + i, random, mixed::document, any::expression, seed);
                RandomConditions plain = new RandomConditions(random);
                check(store, "p" + i, random, plain::document, plain::expression, seed);
            }
        }
    }

    private static void check(
            TestStore store,
            String name,
            Random random,
            Supplier<String> documents,
            Supplier<String> expressions,
            long seed) {
        DocumentCollection collection = store.documents().collection(name);
        Map<String, NodeTree> trees = new LinkedHashMap<>();
        for (int d = 0; d < DOCUMENTS; d++) {
            String xml = documents.get();
            if (d == DOCUMENTS / 2) {
                INDEXES.stream().filter(_ -> random.nextBoolean()).forEach(collection::index);
                xml = "<r><a>" + "<b>".repeat(300) + "x" + "</b>".repeat(300) + "</a></r>";
            }
            String id = "d" + (10 + d);
            collection.put(id, xml);
            trees.put(id, XmlNodes.tree(xml));
        }
        for (int e = 0; e < EXPRESSIONS; e++) {
            String expression = expressions.get();
            XPathQuery query = XPathQuery.compile(expression, NAMESPACES, VARIABLES);
            List<String> expected =
                    trees.entrySet().stream()
                            .filter(tree -> query.matches(tree.getValue()))
                            .map(Map.Entry::getKey)
                            .toList();
            try (Stream<XmlDocument> found = collection.find(expression, NAMESPACES, VARIABLES)) {
                assertThat(found.map(XmlDocument::id))
                        .as(() ->
                                "seed %dL: %s, %s"
                                        .formatted(
                                                seed,
                                                expression,
                                                collection.explain(
                                                        expression, NAMESPACES, VARIABLES)))
                        .isEqualTo(expected);
            }
        }
    }
}
