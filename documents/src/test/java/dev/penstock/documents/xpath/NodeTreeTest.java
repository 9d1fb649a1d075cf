package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class NodeTreeTest {
    static final List<String> DOCUMENTS = SuiteFiles.DOCUMENTS;

    @ParameterizedTest
    @FieldSource("DOCUMENTS")
    void tree_writtenToHandler_givesTheEventsItWasBuiltFrom(String document) {
        String xml = SuiteFiles.document(document);
        Events direct = new Events();
        XmlNodes.read(xml, direct);
        Events written = new Events();
        XmlNodes.tree(xml).write(written);
        assertThat(written).hasToString(direct.toString());
    }

    @Test
    void element_writtenAlone_declaresTheNamespacesInScope() {
        XPathNode node =
                node(
                        "<r xmlns='u' xmlns:p='v'><a xmlns:p='w' p:k='1'>x<b/>y</a><z/></r>",
                        "/*/*[1]");
        assertThat(events(node)).isEqualTo("<a>@xmlns=u @xmlns:p=w @p:k=1 \"x\"<b></>\"y\"</>");
    }

    @Test
    void text_writtenAlone_isText() {
        assertThat(events(node("<r>x<a/></r>", "/r/text()"))).isEqualTo("\"x\"");
    }

    @Test
    void attribute_writtenAlone_isRefused() {
        XPathNode node = node("<r a='1'/>", "//@a");
        assertThatThrownBy(() -> node.write(new Events()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a node of kind ATTRIBUTE can't stand alone");
    }

    @Test
    void prefix_notDeclared_isRefused() {
        NodeTreeBuilder builder = new NodeTreeBuilder(XmlNodes.memory());
        builder.startElement("p:a");
        assertThatThrownBy(builder::endElement)
                .isInstanceOf(DocumentException.class)
                .hasMessage(
                        "The prefix of the name 'p:a' is not declared in the document; declare it by xmlns:p");
    }

    @Test
    void elements_nestedHundredThousandDeep_areFoundAndWritten() {
        int depth = 100_000;
        NodeTreeBuilder builder = new NodeTreeBuilder(XmlNodes.memory());
        for (int i = 0; i < depth; i++) {
            builder.startElement("a");
        }
        for (int i = 0; i < depth; i++) {
            builder.endElement();
        }
        NodeTree tree = builder.build();
        Events events = new Events();
        tree.write(events);
        assertThat(events.toString()).hasSize(depth * 6);
        assertThat(
                        XPathQuery.compile("count(//a[not(a)]/ancestor::a)", Map.of(), Map.of())
                                .evaluate(tree))
                .isEqualTo(new XPathResult.Num(depth - 1));
    }

    private static XPathNode node(String xml, String expression) {
        XPathResult result =
                XPathQuery.compile(expression, Map.of(), Map.of()).evaluate(XmlNodes.tree(xml));
        return ((XPathResult.Nodes) result).nodes().getFirst();
    }

    private static String events(XPathNode node) {
        Events events = new Events();
        node.write(events);
        return events.toString();
    }
}
