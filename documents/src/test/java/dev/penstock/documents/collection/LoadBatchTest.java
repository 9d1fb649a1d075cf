package dev.penstock.documents.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.store.DocumentBuffer;
import dev.penstock.documents.store.DocumentCursor;
import dev.penstock.documents.store.DocumentStore;
import dev.penstock.documents.store.PathRecorder;
import dev.penstock.documents.store.PathSummary;
import dev.penstock.documents.store.StoreExplanation;
import dev.penstock.documents.store.StoreFilter;
import dev.penstock.documents.store.StoredDocument;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoadBatchTest {
    /** A store that fails when it is told to, and knows what it has. */
    private static final class FailingStore implements DocumentStore {
        private final boolean together;
        private final Set<String> there = new TreeSet<>();
        private final List<String> entries = new ArrayList<>();

        /** The document that can't be written. */
        private String bad = "";

        /** Whether what was written together is told as a failure. */
        private boolean losesAnswers;

        FailingStore(boolean together) {
            this.together = together;
        }

        private static DocumentException failure(Kind kind) {
            return new DocumentException(kind, "a test's failure");
        }

        @Override
        public long put(String id, DocumentBuffer json, long expected, Collection<String> brings) {
            if (id.equals(bad)) {
                throw failure(Kind.STORE);
            }
            if (!there.add(id)) {
                throw failure(Kind.CONFLICT);
            }
            entries.addAll(brings);
            return 1;
        }

        @Override
        public boolean insertsTogether() {
            return together;
        }

        @Override
        public void insert(List<NewDocument> documents) {
            if (documents.stream().anyMatch(each -> each.id().equals(bad))) {
                throw failure(Kind.STORE);
            }
            documents.forEach(each -> put(each.id(), each.json(), ABSENT, each.entries()));
            if (losesAnswers) {
                throw failure(Kind.STORE);
            }
        }

        @Override
        public void create() {}

        @Override
        public @Nullable StoredDocument get(String id) {
            return null;
        }

        @Override
        public @Nullable Long version(String id) {
            return null;
        }

        @Override
        public boolean delete(String id, long expected) {
            return false;
        }

        @Override
        public DocumentCursor find(Question question) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean findsInSnapshot() {
            return true;
        }

        @Override
        public void index(List<String> path) {}

        @Override
        public StoreExplanation explain(StoreFilter filter) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<String> entries() {
            return Set.copyOf(entries);
        }
    }

    private final List<String> stored = new ArrayList<>();

    private LoadBatch batch(FailingStore store) {
        var batch = new LoadBatch(store, new CollectionPaths(), stored::add);
        for (String id : List.of("a", "b", "c", "d")) {
            batch.add(id, DocumentBuffer.of("{\"r\":{\"x\":null}}"), summary());
        }
        return batch;
    }

    /** The paths that each document brings. */
    private static PathSummary summary() {
        var summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        recorder.startElement("r");
        recorder.startElement("x");
        recorder.endElement();
        recorder.endElement();
        return summary;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void flush_whereOneFails_leavesThoseBeforeAndTellsTheFailure(boolean together) {
        var store = new FailingStore(together);
        store.bad = "c";
        LoadBatch batch = batch(store);

        assertThatThrownBy(batch::flush)
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.STORE));
        assertThat(store.there).containsExactly("a", "b");
        assertThat(stored).containsExactly("a", "b");
    }

    @Test
    void flush_whoseAnswerIsLost_isNoConflict() {
        var store = new FailingStore(true);
        store.losesAnswers = true;
        LoadBatch batch = batch(store);

        assertThatThrownBy(batch::flush)
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.STORE));
        assertThat(store.there).hasSize(4);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void flush_ofDocumentsOfOneKind_bringsItsPathsOnce(boolean together) {
        var store = new FailingStore(together);
        batch(store).flush();

        assertThat(stored).containsExactly("a", "b", "c", "d");
        assertThat(store.entries).hasSize(1);
    }
}
