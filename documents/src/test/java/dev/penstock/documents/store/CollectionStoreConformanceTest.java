package dev.penstock.documents.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.store.TestStore.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every store keeps documents, versions and the catalog alike. */
class CollectionStoreConformanceTest {
    private static final StoreFilter ALL = new StoreFilter.Everything();

    private static long put(DocumentStore store, String id, String json, long expected) {
        return put(store, id, json, expected, List.of());
    }

    private static long put(
            DocumentStore store, String id, String json, long expected, List<String> entries) {
        try (DocumentBuffer buffer = DocumentBuffer.of(json)) {
            return store.put(id, buffer, expected, entries);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String json(StoredDocument document) {
        try (InputStream in = document.json()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\": ", "\":")
                    .replace("\", ", "\",");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static StoredDocument get(DocumentStore store, String id) {
        return Objects.requireNonNull(store.get(id));
    }

    private static List<String> ids(DocumentStore store, StoreFilter filter) {
        var ids = new ArrayList<String>();
        try (DocumentCursor cursor = store.find(filter)) {
            for (StoredDocument found = cursor.next(); found != null; found = cursor.next()) {
                ids.add(found.id());
            }
        }
        return ids;
    }

    private static StoreFilter equal(String text, String... path) {
        return new StoreFilter.Equal(List.of(path), text);
    }

    @ParameterizedTest
    @EnumSource
    void put_versions_growAndAreCompared(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            long first = put(store, "d", "{\"a\":\"1\"}", DocumentStore.ABSENT);
            assertThat(first).isPositive();
            assertThatThrownBy(() -> put(store, "d", "{\"a\":\"2\"}", DocumentStore.ABSENT))
                    .hasMessage(
                            "the document d of people is in version "
                                    + first
                                    + ", but must not exist yet; read it again and decide anew");
            long second = put(store, "d", "{\"a\":\"2\"}", first);
            assertThat(second).isGreaterThan(first);
            assertThatThrownBy(() -> put(store, "d", "{\"a\":\"3\"}", first))
                    .isInstanceOf(DocumentException.class)
                    .hasMessageContaining("but should be in version " + first);
            assertThat(get(store, "d").version()).isEqualTo(second);
            assertThat(json(get(store, "d"))).isEqualTo("{\"a\":\"2\"}");
            assertThatThrownBy(() -> store.delete("d", first))
                    .isInstanceOf(DocumentException.class);
            assertThat(store.delete("d", second)).isTrue();
            assertThat(store.delete("d", DocumentStore.ANY)).isFalse();
            assertThat(store.get("d")).isNull();
            assertThat(put(store, "d", "{\"a\":\"4\"}", DocumentStore.ANY)).isGreaterThan(second);
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_manyWritersOfOneVersion_oneSucceeds(Kind kind) throws Exception {
        try (TestStore stores = TestStore.create(kind);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            DocumentStore store = stores.collection("people");
            long version = put(store, "d", "{\"a\":\"0\"}", DocumentStore.ABSENT);
            var writers = new ArrayList<Callable<Long>>();
            for (int i = 1; i <= 6; i++) {
                String json = "{\"a\":\"" + i + "\"}";
                writers.add(() -> put(store, "d", json, version));
            }
            int written = 0;
            for (Future<Long> future : threads.invokeAll(writers)) {
                if (future.state() == Future.State.SUCCESS) {
                    written++;
                } else {
                    assertThat(future.exceptionNow())
                            .isInstanceOfSatisfying(
                                    DocumentException.class,
                                    e ->
                                            assertThat(e.kind())
                                                    .isEqualTo(DocumentException.Kind.CONFLICT));
                }
            }
            assertThat(written).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_twoProcesses_keepAllEntries(Kind kind) throws Exception {
        try (TestStore stores = TestStore.create(kind);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var processes = List.of(stores.collection("people"), stores.collection("people"));
            var writers = new ArrayList<Callable<Long>>();
            Set<String> expected = new HashSet<>();
            for (int i = 0; i < 20; i++) {
                DocumentStore process = processes.get(i % 2);
                String id = "d" + i;
                List<String> entries = List.of("entry " + i / 4, "both \"é\\ %");
                expected.addAll(entries);
                writers.add(() -> put(process, id, "{\"a\":null}", DocumentStore.ABSENT, entries));
            }
            for (Future<Long> future : threads.invokeAll(writers)) {
                assertThat(future.get()).isPositive();
            }
            assertThat(processes).allSatisfy(p -> assertThat(p.entries()).isEqualTo(expected));
            assertThat(ids(processes.getFirst(), ALL)).hasSize(20);
        }
    }

    @ParameterizedTest
    @EnumSource
    void put_deepDocuments_comeBackAndAreFound(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            store.index(List.of("a", "b"));
            for (int depth :
                    List.of(
                            1, 28, 29, 30, 31, 32, 97, 98, 99, 100, 101, 399, 400, 990, 1001,
                            3000)) {
                String json = "{\"a\":{\"b\":\"" + depth + "\",\"c\":" + deep(depth - 2) + "}}";
                put(store, "d" + depth, json, DocumentStore.ABSENT);
                assertThat(json(get(store, "d" + depth))).isEqualTo(json);
                assertThat(ids(store, equal("" + depth, "a", "b"))).containsExactly("d" + depth);
                assertThat(ids(store, new StoreFilter.Contains(List.of("a", "b"), "" + depth)))
                        .contains("d" + depth);
            }
            assertThat(ids(store, new StoreFilter.Not(equal("1", "a", "b")))).hasSize(15);
            assertThat(store.delete("d3000", DocumentStore.ANY)).isTrue();
            assertThat(store.get("d3000")).isNull();
        }
    }

    private static String deep(int depth) {
        int levels = Math.max(0, depth);
        return "{\"c\":".repeat(levels) + "null" + "}".repeat(levels);
    }

    @ParameterizedTest
    @EnumSource
    void put_largeDocuments_comeBackAndAreFound(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            for (int megabytes : List.of(3, 7, 9)) {
                String text = ("é\\\"" + megabytes).repeat(megabytes << 18).substring(2);
                String json = "{\"a\":{\"b\":\"x\",\"c\":" + JsonText.quoted(text) + "}}";
                put(store, "d", json, DocumentStore.ANY);
                assertThat(json(get(store, "d")).equals(json)).as("%d MB", megabytes).isTrue();
                assertThat(ids(store, equal(text, "a", "c"))).containsExactly("d");
                assertThat(ids(store, equal("y", "a", "b"))).isEmpty();
            }
            put(store, "d", "{\"a\":{\"b\":\"y\"}}", DocumentStore.ANY);
            assertThat(ids(store, equal("y", "a", "b"))).containsExactly("d");
        }
    }

    @ParameterizedTest
    @EnumSource
    void index_declaredLate_servesAndFollowsChanges(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            for (int i = 0; i < 50; i++) {
                String hobbies =
                        i % 2 == 0 ? "\"tv\"" : "[\"tv\",{\"@a\":\"\",\"#text\":\"n" + i + "\"}]";
                put(store, "d" + (10 + i), "{\"p\":{\"h\":" + hobbies + "}}", DocumentStore.ABSENT);
            }
            store.index(List.of("p", "h"));
            store.index(List.of("p", "h"));
            assertThat(store.explain(equal("n7", "p", "h")).indexes())
                    .containsExactly(List.of("p", "h"));
            assertThat(store.explain(equal("n7", "p")).indexes()).isEmpty();
            assertThat(store.explain(equal("secret", "p", "h")).condition())
                    .doesNotContain("secret");
            assertThat(ids(store, equal("n7", "p", "h"))).containsExactly("d17");
            assertThat(ids(store, equal("tv", "p", "h"))).hasSize(50);
            put(store, "d17", "{\"p\":{\"h\":\"n8\"}}", DocumentStore.ANY);
            assertThat(ids(store, equal("n7", "p", "h"))).isEmpty();
            assertThat(ids(store, equal("n8", "p", "h"))).containsExactly("d17");
            store.delete("d17", DocumentStore.ANY);
            assertThat(ids(store, equal("n8", "p", "h"))).isEmpty();
        }
    }

    /** Few are read at once, others by a cursor; a document in pieces may come from another process. */
    @ParameterizedTest
    @EnumSource
    void find_fewOrManyByAnIndex_areAllInOrder(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            DocumentStore other = stores.collection("people");
            store.index(List.of("a", "b"));
            assertThat(ids(store, equal("x", "a", "b"))).isEmpty();
            List<String> expected = new ArrayList<>();
            for (String id : List.of("m", "B", "z", "a", "k-1", "k", "A")) {
                put(other, id, "{\"a\":{\"b\":\"x\"}}", DocumentStore.ABSENT);
                put(other, id + ".", "{\"a\":{\"b\":\"y\"}}", DocumentStore.ABSENT);
                expected.add(id);
                Collections.sort(expected);
                assertThat(ids(store, equal("x", "a", "b"))).isEqualTo(expected);
            }
            String inPieces = "{\"a\":{\"b\":\"w\",\"c\":" + deep(3000) + "}}";
            put(other, "deep", inPieces, DocumentStore.ABSENT);
            assertThat(ids(store, equal("w", "a", "b"))).containsExactly("deep");
            DocumentCursor cursor = store.find(equal("y", "a", "b"));
            cursor.close();
            assertThat(cursor.next()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void find_leftEarly_closesWhatItHolds(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore store = stores.collection("people");
            for (int i = 0; i < 300; i++) {
                put(store, "d" + (1000 + i), "{\"a\":\"" + i + "\"}", DocumentStore.ABSENT);
            }
            DocumentCursor cursor = store.find(ALL);
            assertThat(Objects.requireNonNull(cursor.next()).id()).isEqualTo("d1000");
            cursor.close();
            cursor.close();
            assertThat(cursor.next()).isNull();
            assertThat(ids(store, ALL)).hasSize(300).isSorted();
        }
    }

    @ParameterizedTest
    @EnumSource
    void collections_ofOneDatabase_areApart(Kind kind) throws IOException {
        try (TestStore stores = TestStore.create(kind)) {
            DocumentStore orders = stores.collection("order");
            DocumentStore people = stores.collection("people");
            put(orders, "d", "{\"a\":null}", DocumentStore.ABSENT, List.of("a"));
            assertThat(people.get("d")).isNull();
            assertThat(people.entries()).isEmpty();
            assertThat(stores.collection("order").entries()).containsExactly("a");
            assertThatThrownBy(() -> stores.collection("a__b"))
                    .hasMessageContaining("\"a__b\" is no name of a collection");
            assertThatThrownBy(() -> put(people, "a b", "{}", DocumentStore.ANY))
                    .hasMessageContaining("\"a b\" is no id of a document");
        }
    }
}
