package dev.penstock.documents.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.StoreExplanation;
import dev.penstock.documents.store.StoredDocument;
import dev.penstock.documents.store.TestStore;
import dev.penstock.documents.store.TestStore.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Documents with new paths that another process writes while a search begins are found rightly or not at all. */
class PathSummaryRaceConformanceTest {
    /** A store in which something happens whenever a search has read the paths and has not asked yet. */
    private record Interrupted(DocumentStore store, Runnable between) implements DocumentStore {
        @Override
        public DocumentCursor find(Question question) {
            return store.find(entries -> {
                var filter = question.on(entries);
                between.run();
                return filter;
            });
        }

        @Override
        public boolean findsInSnapshot() {
            return store.findsInSnapshot();
        }

        @Override
        public void create() {
            store.create();
        }

        @Override
        public long put(String id, DocumentBuffer json, long expected, Collection<String> entries) {
            return store.put(id, json, expected, entries);
        }

        @Override
        public @Nullable StoredDocument get(String id) {
            return store.get(id);
        }

        @Override
        public @Nullable Long version(String id) {
            return store.version(id);
        }

        @Override
        public boolean delete(String id, long expected) {
            return store.delete(id, expected);
        }

        @Override
        public void index(List<String> path) {
            store.index(path);
        }

        @Override
        public StoreExplanation explain(dev.penstock.documents.store.StoreFilter filter) {
            return store.explain(filter);
        }

        @Override
        public Set<String> entries() {
            return store.entries();
        }
    }

    private static List<String> ids(Stream<XmlDocument> found) {
        try (found) {
            return found.map(XmlDocument::id).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_newPathsBetweenPathsAndSearch_answersForOneState(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection writer = store.documents().collection("people");
            writer.put("always", "<p><a>x</a></p>");
            writer.put("replaced", "<p><a>x</a></p>");
            DocumentStore underneath = store.collection("people");
            var steps =
                    List.<Runnable>of(
                            // True of neither: the known path //a means no longer all elements.
                            () -> writer.put("false", "<p><b><a>y</a></b><a>x</a></p>"),
                            () -> writer.put("replaced", "<p><c><a>x</a></c></p>"));
            for (Runnable step : steps) {
                var reader = new DocumentCollection(new Interrupted(underneath, step));
                assertThat(ids(reader.find("not(//a != 'x')")))
                        .as("%s", kind)
                        .doesNotContain("false")
                        .contains("always", "replaced");
                assertThat(ids(reader.find("//a = 'x'"))).contains("always", "replaced");
                try (Stream<FoundNode> nodes = reader.select("//a[. = 'x']")) {
                    assertThat(nodes.map(FoundNode::documentId)).contains("always", "replaced");
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_everySearchMeetsNewPaths_ends(Kind kind) throws Exception {
        try (TestStore store = TestStore.create(kind)) {
            DocumentCollection writer = store.documents().collection("people");
            writer.put("a", "<p><a>x</a></p>");
            int[] written = {0};
            Runnable step =
                    () -> {
                        written[0]++;
                        writer.put(
                                "b", "<p><n" + written[0] + "><a>x</a></n" + written[0] + "></p>");
                    };
            var reader = new DocumentCollection(new Interrupted(store.collection("people"), step));
            assertThat(ids(reader.find("//a = 'x'"))).contains("a");
            assertThat(written[0]).isBetween(1, 5);
        }
    }
}
