package dev.penstock.documents.xpath;

import static dev.penstock.documents.xpath.SuiteFiles.NAMESPACES;
import static dev.penstock.documents.xpath.SuiteFiles.VARIABLES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.xpath.SuiteFiles.Difference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Every expression of the suite on every document: the answers are those of the JDK and of Saxon. Where one of these
 * differs, the answer is listed with the reason, and a listed answer that no oracle contradicts is an error too.
 */
class XPathSuiteTest {
    static final List<String> DOCUMENTS = SuiteFiles.DOCUMENTS;

    @Test
    void suite_ofExpressions_hasAtLeastFiveHundred() {
        assertThat(SuiteFiles.expressions())
                .hasSizeGreaterThanOrEqualTo(500)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void expression_onDocument_isAnsweredAsByTheOraclesOrTheRecommendation(String document) {
        String xml = SuiteFiles.document(document);
        NodeTree tree = XmlNodes.tree(xml);
        JdkOracle jdk = new JdkOracle(xml, NAMESPACES, VARIABLES);
        SaxonOracle saxon = new SaxonOracle(xml, NAMESPACES, VARIABLES);
        Map<String, Difference> differences =
                SuiteFiles.differences().stream()
                        .filter(d -> d.document().equals(document))
                        .collect(Collectors.toMap(Difference::expression, Function.identity()));
        List<String> wrong = new ArrayList<>();
        for (String expression : SuiteFiles.expressions()) {
            String actual =
                    Answer.of(XPathQuery.compile(expression, NAMESPACES, VARIABLES).evaluate(tree));
            String byJdk = jdk.answer(expression);
            String bySaxon = saxon.answer(expression);
            boolean isUndisputed = actual.equals(byJdk) && actual.equals(bySaxon);
            Difference listed = differences.get(expression);
            if (isUndisputed
                    ? listed != null
                    : listed == null || !listed.expected().equals(actual)) {
                wrong.add(
                        "%s ||| %s ||| %s%n    JDK   %s%n    Saxon %s"
                                .formatted(expression, document, actual, byJdk, bySaxon));
            }
        }
        assertThat(String.join("%n".formatted(), wrong)).isEmpty();
    }
}
