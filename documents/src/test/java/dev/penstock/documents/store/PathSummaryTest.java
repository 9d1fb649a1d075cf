package dev.penstock.documents.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.store.PathSummary.Bounds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
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
    void paths_beyondTheBound_areLeftOutFromTheDeepestOn() {
        PathSummary summary = new PathSummary(new Bounds(4, 9, 1_000, 9, 100));
        PathRecorder recorder = summary.recorder();
        recorder.startElement("r");
        recorder.startElement("a");
        recorder.startElement("deep");
        recorder.attribute("n", "");
        recorder.endElement();
        recorder.endElement();
        assertThat(summary.isPartial()).isFalse();
        recorder.startElement("b");
        recorder.endElement();
        recorder.endElement();
        assertThat(summary.toJson())
                .isEqualTo(
                        "{\"version\":1,\"overflows\":true,\"paths\":["
                                + "[0,\"r\",\"e\",\"\",\"r\"],"
                                + "[1,\"a\",\"e\",\"\",\"a\"],"
                                + "[1,\"b\",\"\",\"\",\"b\"],"
                                + "[2,\"deep\",\"c\",\"\",\"deep\"]]}");
    }

    @Test
    void keys_deeperThanTheBound_cutThePathAboveThem() {
        PathSummary summary = new PathSummary();
        PathRecorder recorder = summary.recorder();
        for (int i = 0; i < Bounds.DEFAULTS.depth(); i++) {
            recorder.startElement("a");
        }
        assertThat(summary.isPartial()).isFalse();
        recorder.startElement("a");
        for (int i = 0; i <= Bounds.DEFAULTS.depth(); i++) {
            recorder.endElement();
        }
        assertThat(summary.overflows()).isFalse();
        assertThat(summary.size()).isEqualTo(Bounds.DEFAULTS.depth());
        PathSummary.Path path = summary.document();
        while (!path.children().isEmpty()) {
            assertThat(path.isCut()).isFalse();
            path = Objects.requireNonNull(path.children().get("a"));
        }
        assertThat(path.isCut()).isTrue();
        assertThat(PathSummary.fromJson(summary.toJson()).toJson()).isEqualTo(summary.toJson());
    }

    @Test
    void names_ofOneKeyBeyondTheBound_areNotKept() {
        PathSummary summary = new PathSummary();
        for (int i = 0; i <= Bounds.DEFAULTS.names(); i++) {
            assertThat(summary.isPartial()).isFalse();
            PathRecorder recorder = summary.recorder();
            recorder.startElement("a");
            recorder.attribute("xmlns", "urn:" + i);
            recorder.endElement();
        }
        assertThat(summary.toJson())
                .isEqualTo("{\"version\":1,\"overflows\":true,\"paths\":[[0,\"a\",\"n\"]]}");
        assertThat(PathSummary.fromJson(summary.toJson()).toJson()).isEqualTo(summary.toJson());
    }

    @Test
    void rootElements_beyondTheBound_overflow() {
        PathSummary summary = new PathSummary();
        for (int i = 0; i <= Bounds.DEFAULTS.paths(); i++) {
            assertThat(summary.overflows()).isFalse();
            summary.recorder().startElement("e" + i);
        }
        assertOverflowsForGood(summary);
    }

    /** Processes read the entries of a catalog in any order, and must conclude the same. */
    @Test
    void merge_inAnyOrder_givesTheSame() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            Bounds bounds =
                    new Bounds(
                            1 + random.nextInt(12),
                            1 + random.nextInt(5),
                            10 + random.nextInt(200),
                            1 + random.nextInt(3),
                            5 + random.nextInt(20));
            List<PathSummary> entries = new ArrayList<>();
            for (int i = random.nextInt(6); i >= 0; i--) {
                PathSummary entry = new PathSummary(bounds);
                addRandom(entry.recorder(), random, 0);
                entries.add(entry);
            }
            String expected = sorted(merged(entries, bounds).document());
            Collections.shuffle(entries, random);
            PathSummary shuffled = merged(entries, bounds);
            assertThat(sorted(shuffled.document())).as("seed %d", seed).isEqualTo(expected);
            assertThat(entries).noneMatch(shuffled::merge);
            PathSummary copy = shuffled.copy();
            assertThat(copy.toJson()).isEqualTo(shuffled.toJson());
            assertThat(entries).as("seed %d", seed).noneMatch(copy::merge);
        }
    }

    @Test
    void copy_changed_leavesTheOtherAsItWas() {
        PathSummary summary = book();
        PathSummary copy = summary.copy();
        copy.recorder().startElement("other");
        assertThat(copy.size()).isEqualTo(4);
        assertThat(summary.toJson()).isEqualTo(book().toJson());
    }

    private static PathSummary merged(List<PathSummary> entries, Bounds bounds) {
        PathSummary all = new PathSummary(bounds);
        entries.forEach(entry -> all.merge(PathSummary.fromJson(entry.toJson())));
        return all;
    }

    private static void addRandom(PathRecorder recorder, Random random, int depth) {
        recorder.startElement("abc".substring(random.nextInt(3)));
        if (random.nextInt(4) == 0) {
            recorder.attribute("xmlns", "urn:" + random.nextInt(4));
        }
        if (random.nextInt(4) == 0) {
            recorder.attribute("n", "");
        }
        for (int i = random.nextInt(4); i > 0 && depth < 6; i--) {
            addRandom(recorder, random, depth + 1);
        }
        recorder.endElement();
    }

    private static String sorted(PathSummary.Path path) {
        String names =
                path.names().stream().map(PathSummary.Name::toString).sorted().toList().toString();
        return names
                + (path.hasElements() ? "e" : "")
                + (path.isRepeated() ? "r" : "")
                + (path.isCut() ? "c" : "")
                + (path.hasOtherNames() ? "n" : "")
                + new TreeMap<>(path.children())
                        .entrySet().stream()
                                .map(child -> child.getKey() + sorted(child.getValue()))
                                .toList();
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
