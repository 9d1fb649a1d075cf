package dev.penstock.documents.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.PathRecorder;
import dev.penstock.documents.store.PathSummary;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CollectionPathsTest {
    private static PathSummary document(int first, int count) {
        PathSummary summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        recorder.startElement("r");
        recorder.startElement("g");
        for (int i = first; i < first + count; i++) {
            recorder.startElement("k" + i);
            recorder.endElement();
        }
        recorder.endElement();
        recorder.endElement();
        return summary;
    }

    @Test
    void document_withNewPaths_bringsAnEntryOnce() {
        var paths = new CollectionPaths();
        List<String> missing = paths.missing(document(0, 1));
        assertThat(missing).containsExactly(document(0, 1).toJson());
        paths.written(missing);
        assertThat(paths.missing(document(0, 1))).isEmpty();
        assertThat(paths.missing(document(0, 2))).isNotEmpty();
    }

    /** The catalog would otherwise grow with every document. */
    @Test
    void document_withPathsOfALevelThatWasGivenUp_bringsNothing() {
        var paths = new CollectionPaths();
        for (int i = 0; i <= PathSummary.Bounds.DEFAULTS.paths(); i += 1_000) {
            paths.written(paths.missing(document(i, 1_000)));
        }
        PathSummary all = paths.with(Set.of());
        assertThat(all.size()).isEqualTo(2);
        assertThat(all.isPartial()).isTrue();
        assertThat(paths.missing(document(20_000, 1))).isEmpty();
        assertThat(paths.missing(document(30_000, 2_000))).isEmpty();
    }
}
