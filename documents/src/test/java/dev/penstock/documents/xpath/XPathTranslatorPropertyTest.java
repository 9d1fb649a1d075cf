package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.xpath.translate.Filters;
import dev.penstock.documents.xpath.translate.Translation;
import dev.penstock.documents.xpath.translate.XPathTranslator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Random expressions on random collections: the filter of an expression finds every document on which it is true, and
 * no other where it says that it is exact. More, and others each time, with {@code -Dpenstock.soak=true}.
 */
class XPathTranslatorPropertyTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int COLLECTIONS = SOAK ? 20_000 : 300;
    private static final int DOCUMENTS = 6;
    private static final int EXPRESSIONS = 30;
    private static final Map<String, String> NAMESPACES = Map.of("p", "urn:p", "q", "urn:q");
    private static final Map<String, Object> VARIABLES = Map.of("t", "x");

    private final List<String> wrong = new ArrayList<>();
    private int exact;
    private int narrowing;
    private int translations;

    @Test
    void filter_ofExpression_losesNoDocumentAndIsExactWhereItSaysSo() {
        long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
        Random random = new Random(seed);
        for (int c = 0; c < COLLECTIONS; c++) {
            RandomXml documents = new RandomXml(random);
            RandomExpressions expressions = new RandomExpressions(random);
            PathSummary.Bounds bounds = PathSummary.Bounds.DEFAULTS;
            check(random, bounds, documents::document, expressions::expression);
            RandomConditions plain = new RandomConditions(random);
            check(random, bounds, plain::document, plain::expression);
        }
        assertThat(wrong.stream().min(Comparator.comparingInt(String::length)))
                .as("the shortest of %d wrong filters, seed %d", wrong.size(), seed)
                .isEmpty();
        assertThat(exact)
                .as("exact of %d translations", translations)
                .isGreaterThan(translations / 5);
        assertThat(narrowing)
                .as("filters of %d that leave documents out", translations)
                .isGreaterThan(translations / 3);
    }

    @Test
    void filter_withAPartialSummary_losesNoDocumentAndIsExactWhereItSaysSo() {
        long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
        Random random = new Random(seed);
        for (int c = 0; c < COLLECTIONS; c++) {
            PathSummary.Bounds bounds =
                    new PathSummary.Bounds(
                            1 + random.nextInt(40),
                            1 + random.nextInt(5),
                            20 + random.nextInt(500),
                            1 + random.nextInt(2),
                            10 + random.nextInt(30));
            RandomXml documents = new RandomXml(random);
            RandomExpressions expressions = new RandomExpressions(random);
            check(random, bounds, documents::document, expressions::expression);
            RandomConditions plain = new RandomConditions(random);
            check(random, bounds, plain::document, plain::expression);
        }
        assertThat(wrong.stream().min(Comparator.comparingInt(String::length)))
                .as("the shortest of %d wrong filters, seed %d", wrong.size(), seed)
                .isEmpty();
        assertThat(exact)
                .as("exact of %d translations", translations)
                .isGreaterThan(translations / 20);
    }

    private void check(
            Random random,
            PathSummary.Bounds bounds,
            Supplier<String> documents,
            Supplier<String> expressions) {
        PathSummary summary = new PathSummary(bounds);
        List<NodeTree> trees = new ArrayList<>();
        int count = 1 + random.nextInt(DOCUMENTS);
        for (int d = 0; d < count; d++) {
            NodeTree tree = XmlNodes.tree(documents.get());
            PathSummary one = new PathSummary(bounds);
            tree.write(one.recorder());
            summary.merge(PathSummary.fromJson(one.toJson()));
            trees.add(tree);
        }
        for (int e = 0; e < EXPRESSIONS; e++) {
            String expression = expressions.get();
            XPathQuery query = XPathQuery.compile(expression, NAMESPACES, VARIABLES);
            Translation translation = XPathTranslator.translate(query, summary);
            count(translation);
            trees.forEach(tree -> check(query, translation, tree));
        }
    }

    private void count(Translation translation) {
        translations++;
        exact += translation.exact() ? 1 : 0;
        narrowing += translation.filter().equals(Filters.EVERYTHING) ? 0 : 1;
        assertThat(translation.explanation().isEmpty()).isEqualTo(translation.exact());
    }

    private void check(XPathQuery query, Translation translation, NodeTree tree) {
        boolean matches = query.matches(tree);
        for (boolean keepsSpace : new boolean[] {false, true}) {
            boolean found = new StoredDocument(tree, keepsSpace).fulfils(translation.filter());
            if ((matches && !found) || (translation.exact() && found && !matches)) {
                Events events = new Events();
                tree.write(events);
                wrong.add(
                        "%s%n    on      %s%n    matches %s%n    found   %s by %s"
                                .formatted(query, events, matches, found, translation));
            }
        }
    }
}
