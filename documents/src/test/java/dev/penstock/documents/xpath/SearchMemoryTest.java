package dev.penstock.documents.xpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchMemoryTest {
    private static final long MIB = 1 << 20;

    private static Kind kindOf(Runnable step) {
        try {
            step.run();
        } catch (DocumentException e) {
            return e.kind();
        }
        throw new AssertionError("it was not refused");
    }

    private static XPathQuery compile(String expression) {
        return XPathQuery.compile(expression, Map.of(), Map.of());
    }

    @Test
    void memory_moreThanAll_isRefusedByItsLimit() {
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            memory.take(MIB);
            assertThatThrownBy(() -> memory.take(1))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining("which is 1,048,576 bytes")
                    .hasMessageContaining("records as documents of their own");
            assertThat(kindOf(() -> memory.take(1))).isEqualTo(Kind.LIMIT);
        }
        assertThat(shared.used()).isZero();
    }

    @Test
    void memory_thatIsRefused_isNotTaken() {
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var other = new SearchMemory(shared);
                var memory = new SearchMemory(shared)) {
            other.take(MIB / 4);
            memory.take(1_000);
            long used = shared.used();
            assertThat(kindOf(() -> memory.take(MIB))).isEqualTo(Kind.LIMIT);
            assertThat(kindOf(() -> memory.take(MIB * 3 / 4))).isEqualTo(Kind.BUSY);
            assertThat(memory.taken()).isEqualTo(1_000);
            assertThat(shared.used()).isEqualTo(used);
            memory.take(100);
            assertThat(memory.taken()).isEqualTo(1_100);
        }
    }

    /** Each element declares a namespace, and the namespaces of those around it are in its scope too. */
    @Test
    void scopesOfNestedDeclarations_areCountedAndGivenBack() {
        String xml =
                IntStream.range(0, 100)
                                .mapToObj(i -> "<a xmlns:p%d='u'>".formatted(i))
                                .collect(Collectors.joining())
                        + "</a>".repeat(100);
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree(xml, memory);
            assertThat(memory.taken()).isLessThan(201 * 200L).isGreaterThan(201 * 100L);
            assertThat(shared.used()).isGreaterThan(50 * 5_000L);
            assertThat(tree.size()).isEqualTo(201);
        }
    }

    @Test
    void memory_thatOthersHave_isBusyUntilTheyClose() {
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var second = new SearchMemory(shared)) {
            try (var first = new SearchMemory(shared)) {
                first.take(MIB / 2 + 1);
                assertThat(kindOf(() -> second.take(MIB / 2))).isEqualTo(Kind.BUSY);
            }
            second.take(MIB / 2);
            assertThat(shared.used()).isEqualTo(MIB / 2);
        }
        assertThat(shared.used()).isZero();
    }

    @Test
    void memory_thatOthersHave_isWaitedFor() throws InterruptedException {
        var shared = new SearchMemory.Shared(MIB, Long.MAX_VALUE);
        var first = new SearchMemory(shared);
        first.take(MIB);
        Thread waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var second = new SearchMemory(shared)) {
                                second.take(MIB);
                            }
                        });
        first.close();
        waiting.join();
        assertThat(shared.used()).isZero();
    }

    @Test
    void memory_thatIsReleased_isThereAgain() {
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            memory.take(MIB / 4);
            long before = memory.taken();
            for (int i = 0; i < 1_000; i++) {
                memory.take(MIB / 2);
                memory.releaseTo(before);
            }
            memory.take(MIB * 3 / 4);
            assertThat(shared.used()).isEqualTo(MIB);
        }
    }

    @Test
    void tree_ofLargeDocument_isRefused() {
        var memory = new SearchMemory(new SearchMemory.Shared(MIB, 0));
        var builder = new NodeTreeBuilder(memory);
        String xml = "<r>" + "<a>text</a>".repeat(10_000) + "</r>";
        assertThat(kindOf(() -> XmlNodes.read(xml, builder))).isEqualTo(Kind.LIMIT);
    }

    /** The document is small; what the expressions make of it is not. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "//namespace::node()",
                "count(//a/namespace::*)",
                "string-length(concat(%s))",
                "contains(concat(%s), 'x')",
                "string-length(concat(string(/), string(/), %s))",
                "//a[//namespace::*[//namespace::*]]"
            })
    void values_farLargerThanTheDocument_areRefused(String expression) {
        XPathQuery query = compile(expression.formatted("/,".repeat(1_000) + "/"));
        String declarations =
                IntStream.range(0, 500)
                        .mapToObj(i -> " xmlns:p%d='u%d'".formatted(i, i))
                        .collect(Collectors.joining());
        String xml = "<r%s>%s</r>".formatted(declarations, "<a>12345678</a>".repeat(2_000));
        var shared = new SearchMemory.Shared(8 * MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            var builder = new NodeTreeBuilder(memory);
            XmlNodes.read(xml, builder);
            NodeTree tree = builder.build();
            assertThat(kindOf(() -> query.evaluate(tree))).isEqualTo(Kind.LIMIT);
            long before = memory.taken();
            assertThat(compile("count(//a[. = '12345678'])").evaluate(tree))
                    .isEqualTo(new XPathResult.Num(2_000));
            assertThat(memory.taken()).isEqualTo(before);
        }
        assertThat(shared.used()).isZero();
    }

    @Test
    void longTexts_count_asVisits() {
        String text = "<t>" + "x".repeat(640_000) + "</t>";
        NodeTree tree = XmlNodes.tree("<r>" + text + "<a/>".repeat(10) + "</r>");
        XPathQuery query = compile("count(//a[contains(/r/t, 'y')])");
        assertThat(kindOf(() -> query.evaluate(tree, 50_000))).isEqualTo(Kind.LIMIT);
        assertThat(query.evaluate(tree, 200_000)).isEqualTo(new XPathResult.Num(0));
    }

    /** Each of 50 elements has all the text below it as its own, and they differ by a letter. */
    @Test
    void textsOfNestedElements_areHeldTogether() {
        String inner = "<t>" + "x".repeat(80_000) + "</t>";
        String xml = "<a>y".repeat(50) + inner + "</a>".repeat(50);
        var shared = new SearchMemory.Shared(2 * MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            var builder = new NodeTreeBuilder(memory);
            XmlNodes.read(xml, builder);
            NodeTree tree = builder.build();
            assertThat(kindOf(() -> compile("//a = //*").evaluate(tree))).isEqualTo(Kind.LIMIT);
            assertThat(compile("//a = 'z'").evaluate(tree)).isEqualTo(new XPathResult.Bool(false));
        }
    }

    private static NodeTree tree(String xml, SearchMemory memory) {
        var builder = new NodeTreeBuilder(memory);
        XmlNodes.read(xml, builder);
        return builder.build();
    }

    @Test
    void resultsOfNodes_takeMemoryWhileTheyAreWritten() {
        String xml = "<r b='%s'>%s</r>".formatted("y".repeat(9_000), "<a>1234</a>".repeat(2_000));
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree(xml, memory);
            long before = shared.used();
            XPathNode root = new XPathNode(tree, NodeTree.DOCUMENT);
            long held = root.written(_ -> shared.used() - before);
            assertThat(held).isGreaterThan(8 * (8_000 + 9_000));
            assertThat(shared.used()).isEqualTo(before);
            assertThatThrownBy(() ->
                            root.written(_ -> {
                                throw new IllegalStateException("on purpose");
                            }))
                    .hasMessage("on purpose");
            assertThat(shared.used()).isEqualTo(before);
        }
        assertThat(shared.used()).isZero();
    }

    @Test
    void resultOfElement_takesMemoryForTheNamespacesAroundIt() {
        String xml = "<p:r xmlns:p='%s'><a/></p:r>".formatted("u".repeat(900));
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree(xml, memory);
            long before = shared.used();
            for (String expression : new String[] {"/*/a", "/*/namespace::p"}) {
                XPathResult found = compile(expression).evaluate(tree);
                XPathNode node = ((XPathResult.Nodes) found).nodes().getFirst();
                long held = node.written(_ -> shared.used() - before);
                assertThat(held).as(expression).isGreaterThan(8 * 900);
            }
        }
    }

    @Test
    void resultOfElement_takesMemoryForItsNameTwice() {
        String xml = "<r><%s/></r>".formatted("n".repeat(900));
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree(xml, memory);
            long before = shared.used();
            XPathNode root = new XPathNode(tree, NodeTree.DOCUMENT);
            assertThat(root.<Long>written(_ -> shared.used() - before)).isGreaterThan(8 * 2 * 900);
        }
    }

    @Test
    void resultOfNode_thatTakesMoreThanAllBesideItsDocument_isRefusedByTheLimit() {
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree("<r>" + "<a>12</a>".repeat(3_500) + "</r>", memory);
            long before = shared.used();
            XPathNode root = new XPathNode(tree, NodeTree.DOCUMENT);
            assertThat(kindOf(() -> root.written(XPathNode::text))).isEqualTo(Kind.LIMIT);
            assertThat(shared.used()).isEqualTo(before);
        }
    }

    @Test
    void resultsOfNodes_writtenByManyThreads_leaveNoMemoryTaken() {
        var shared = new SearchMemory.Shared(MIB, Long.MAX_VALUE);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree("<r>" + "<a>12345678</a>".repeat(500) + "</r>", memory);
            long taken = memory.taken();
            long used = shared.used();
            XPathResult found = compile("//a | //text()").evaluate(tree);
            assertThat(found).isInstanceOf(XPathResult.Nodes.class);
            memory.releaseTo(taken);
            var nodes = ((XPathResult.Nodes) found).nodes();
            for (int i = 0; i < 50; i++) {
                assertThat(nodes.parallelStream().map(one -> one.written(XPathNode::text)))
                        .hasSize(1_000)
                        .containsOnly("12345678");
            }
            assertThat(memory.taken()).isEqualTo(taken);
            assertThat(shared.used()).isEqualTo(used);
        }
    }

    @Test
    void list_thatGrows_takesTheOldArrayAndTheNewOne() {
        try (var memory = new SearchMemory(new SearchMemory.Shared(MIB + MIB / 4, 0))) {
            var list = new NodeList(memory);
            for (int i = 0; i < MIB / 16; i++) {
                list.add(i);
            }
            assertThat(memory.taken()).isEqualTo(list.bytes());
            assertThat(kindOf(() -> list.add(0))).isEqualTo(Kind.LIMIT);
            assertThat(memory.taken()).isEqualTo(list.bytes());
        }
    }

    @Test
    void list_thatIsSorted_takesItsBytesTwice() {
        try (var memory = new SearchMemory(new SearchMemory.Shared(MIB - MIB / 8, 0))) {
            var list = new NodeList(memory);
            for (int i = 0; i < MIB / 16; i++) {
                list.add(-i);
            }
            long before = memory.taken();
            assertThat(kindOf(list::inDocumentOrder)).isEqualTo(Kind.LIMIT);
            assertThat(memory.taken()).isEqualTo(before);
        }
    }

    @Test
    void charactersThatAreTranslated_areCountedAsAMap() {
        String letters =
                IntStream.range(0x4e00, 0x4e00 + 12_000)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
        var shared = new SearchMemory.Shared(MIB, 0);
        try (var memory = new SearchMemory(shared)) {
            NodeTree tree = tree("<r>" + letters + "</r>", memory);
            assertThat(kindOf(() -> compile("translate('', /r, '')").evaluate(tree)))
                    .isEqualTo(Kind.LIMIT);
            assertThat(compile("string-length(translate(/r, 'x', ''))").evaluate(tree))
                    .isEqualTo(new XPathResult.Num(12_000));
        }
    }

    @Test
    void productsOfTexts_count_asVisits() {
        String xml = "<r><a>%s</a><b>%s</b></r>".formatted("x".repeat(100_000), "x".repeat(10_000));
        NodeTree tree = XmlNodes.tree(xml);
        assertThat(kindOf(() -> compile("contains(/r/a, /r/b)").evaluate(tree, 1_000_000)))
                .isEqualTo(Kind.LIMIT);
        assertThat(compile("string-length(translate(/r/a, /r/b, 'y'))").evaluate(tree, 1_000_000))
                .isEqualTo(new XPathResult.Num(100_000));
    }
}
