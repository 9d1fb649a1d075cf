package dev.penstock.documents.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathSummaryTest {
    @Test
    void summary_ofDocument_hasItsKeysNamesAndShapes() {
        assertThat(book().toJson())
                .isEqualTo(
                        "{\"version\":1,\"overflows\":false,\"paths\":["
                                + "[0,\"b:book\",\"e\",\"urn:b\",\"book\"],"
                                + "[1,\"@id\",\"\",\"\",\"id\"],"
                                + "[1,\"see%2Ealso\",\"sr\",\"\",\"see.also\"]]}");
    }

    @Test
    void summary_writtenAndRead_isTheSame() {
        String json = book().toJson();
        PathSummary read = PathSummary.fromJson(json);
        assertThat(read.toJson()).isEqualTo(json);
        assertThat(read.size()).isEqualTo(3);
    }

    @Test
    void merge_ofTheSame_changesNothing() {
        PathSummary summary = new PathSummary();
        assertThat(summary.merge(book())).isTrue();
        assertThat(summary.merge(book())).isFalse();
        assertThat(summary.toJson()).isEqualTo(book().toJson());
    }

    @Test
    void merge_ofAnotherShape_isAChange() {
        PathSummary leaf = new PathSummary();
        PathRecorder recorder = leaf.recorder();
        recorder.startElement("a");
        recorder.endElement();
        PathSummary parent = new PathSummary();
        recorder = parent.recorder();
        recorder.startElement("a");
        recorder.startElement("b");
        recorder.endElement();
        recorder.endElement();
        assertThat(leaf.merge(parent)).isTrue();
        assertThat(leaf.document().children().get("a"))
                .matches(PathSummary.Path::hasElements)
                .matches(path -> !path.isRepeated() && !path.hasSplitText());
        assertThat(parent.merge(leaf)).isFalse();
    }

    @Test
    void paths_beyondTheBound_overflow() {
        PathSummary summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        recorder.startElement("r");
        for (int i = 1; i < PathSummary.MAX_PATHS; i++) {
            recorder.startElement("e" + i);
            recorder.endElement();
        }
        assertThat(summary.overflows()).isFalse();
        recorder.startElement("one");
        recorder.attribute("more", "");
        recorder.endElement();
        recorder.endElement();
        assertOverflowsForGood(summary);
    }

    @Test
    void keys_deeperThanTheBound_overflow() {
        PathSummary summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        for (int i = 0; i < PathSummary.MAX_DEPTH; i++) {
            recorder.startElement("a");
        }
        assertThat(summary.overflows()).isFalse();
        recorder.startElement("a");
        for (int i = 0; i <= PathSummary.MAX_DEPTH; i++) {
            recorder.endElement();
        }
        assertOverflowsForGood(summary);
    }

    @Test
    void names_ofOneKeyBeyondTheBound_overflow() {
        PathSummary summary = new PathSummary();
        for (int i = 0; i <= PathSummary.MAX_NAMES; i++) {
            assertThat(summary.overflows()).isFalse();
            PathRecorder recorder = summary.recorder();
            recorder.startElement("a");
            recorder.attribute("xmlns", "urn:" + i);
            recorder.endElement();
        }
        assertOverflowsForGood(summary);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"version\":2}",
                "{\"version\":1,\"paths\":[[1,\"a\",\"\"]]}",
                "{\"version\":1,\"paths\":[[0,1,\"\"]]}",
                "{\"version\":1,\"paths\":[[0,\"a\",\"\",\"u\"]]}",
                "{\"version\":1,\"other\":1}",
                "{\"version\":\"1\"}"
            })
    void text_thatIsNoSummary_isRefused(String text) {
        assertThatThrownBy(() -> PathSummary.fromJson(text))
                .isInstanceOfSatisfying(
                        DocumentException.class,
                        e -> assertThat(e.kind()).isEqualTo(DocumentException.Kind.JSON))
                .hasMessageStartingWith("The path summary of a collection ");
    }

    private static void assertOverflowsForGood(PathSummary summary) {
        assertThat(summary.overflows()).isTrue();
        assertThat(summary.document().children()).isEqualTo(Map.of());
        PathSummary read = PathSummary.fromJson(summary.toJson());
        assertThat(read.overflows()).isTrue();
        PathSummary merged = book();
        assertThat(merged.merge(read)).isTrue();
        assertThat(merged.overflows()).isTrue();
    }

    /** Has {@code <b:book xmlns:b="urn:b" id="1"><see.also/><see.also>x<!---->y</see.also></b:book>}. */
    private static PathSummary book() {
        PathSummary summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        recorder.startElement("b:book");
        recorder.attribute("xmlns:b", "urn:b");
        recorder.attribute("id", "1");
        recorder.startElement("see.also");
        recorder.endElement();
        recorder.startElement("see.also");
        recorder.text("x");
        recorder.comment("");
        recorder.text("y");
        recorder.endElement();
        recorder.endElement();
        return summary;
    }
}
