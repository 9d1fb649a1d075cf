package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random expressions on random documents. The answer is that of the JDK or of Saxon, and of both where they agree.
 * More of them, and others each time, with {@code -Dpenstock.soak=true}.
 */
class XPathRandomTest {
    private static final boolean SOAK = Boolean.getBoolean("penstock.soak");
    private static final int DOCUMENTS = SOAK ? 400 : 20;
    private static final int EXPRESSIONS = 50;
    private static final Map<String, String> NAMESPACES = Map.of("p", "urn:p", "q", "urn:q");
    private static final Map<String, Object> VARIABLES = Map.of("t", "x");

    @Test
    void expression_onDocument_isAnsweredAsByAnOracle() {
        long seed = Long.getLong("penstock.seed", SOAK ? System.nanoTime() : 1);
        Random random = new Random(seed);
        List<String> wrong = new ArrayList<>();
        int failures = 0;
        for (int d = 0; d < DOCUMENTS; d++) {
            String xml = new RandomXml(random).document();
            NodeTree tree = XmlNodes.tree(xml);
            JdkOracle jdk = new JdkOracle(xml, NAMESPACES, VARIABLES);
            SaxonOracle saxon = new SaxonOracle(xml, NAMESPACES, VARIABLES);
            for (int e = 0; e < EXPRESSIONS; e++) {
                String expression = new RandomExpressions(random).expression();
                String actual =
                        Answer.of(
                                XPathQuery.compile(expression, NAMESPACES, VARIABLES)
                                        .evaluate(tree));
                String byJdk = jdk.answer(expression);
                String bySaxon = saxon.answer(expression);
                failures += byJdk.startsWith("failure") && bySaxon.startsWith("failure") ? 1 : 0;
                if (!actual.equals(byJdk) && !actual.equals(bySaxon)) {
                    wrong.add(
                            "%s%n    on    %s%n    is    %s%n    JDK   %s%n    Saxon %s"
                                    .formatted(expression, xml, actual, byJdk, bySaxon));
                }
            }
        }
        assertThat(failures).as("expressions that no oracle answers, seed %d", seed).isZero();
        assertThat(wrong.stream().min(Comparator.comparingInt(String::length)))
                .as("the shortest of %d wrong answers, seed %d", wrong.size(), seed)
                .isEmpty();
    }
}
