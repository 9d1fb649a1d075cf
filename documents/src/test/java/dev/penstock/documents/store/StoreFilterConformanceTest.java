package dev.penstock.documents.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.TestStore.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every store answers a condition as its definition does, with indexes and without. */
class StoreFilterConformanceTest {
    private static final int DOCUMENTS = 60;
    private static final int CONDITIONS = 400;

    @ParameterizedTest
    @EnumSource
    void find_randomConditions_answersAsTheDefinition(Kind kind) throws Exception {
        answersAsTheDefinition(kind, ThreadLocalRandom.current().nextLong());
    }

    static void answersAsTheDefinition(Kind kind, long seed) throws Exception {
        var random = new RandomJson(seed);
        try (TestStore store = TestStore.create(kind)) {
            DocumentStore collection = store.collection("people");
            var documents = new LinkedHashMap<String, Map<String, @Nullable Object>>();
            for (int i = 0; i < DOCUMENTS; i++) {
                if (i == DOCUMENTS / 2) {
                    declareIndexes(collection);
                }
                String id = "d" + (100 + i);
                documents.put(id, random.document());
                put(collection, id, documents.get(id));
            }
            var examples = List.copyOf(documents.values());
            for (int i = 0; i < CONDITIONS; i++) {
                StoreFilter filter = random.filter(examples.get(i % DOCUMENTS), 3);
                assertThat(ids(collection, filter))
                        .as("seed %dL, %s: %s", seed, kind, brief(filter))
                        .isEqualTo(expected(documents, filter));
            }
        }
    }

    private static String brief(StoreFilter filter) {
        String text = filter.toString();
        return text.length() < 500 ? text : text.substring(0, 500);
    }

    private static void declareIndexes(DocumentStore collection) {
        collection.index(List.of("a"));
        collection.index(List.of("a", "b"));
        collection.index(List.of("b", "@a"));
        collection.index(List.of("a", "a\"] ? (@ == 1)"));
        collection.index(List.of("a", "a'b"));
        collection.index(List.of("a", "a\\b"));
        collection.index(List.of("a", "?"));
    }

    private static void put(DocumentStore collection, String id, Object document) throws Exception {
        try (DocumentBuffer json = DocumentBuffer.of(RandomJson.json(document))) {
            collection.put(id, json, DocumentStore.ABSENT, List.of());
        }
    }

    private static List<String> ids(DocumentStore collection, StoreFilter filter) {
        var ids = new ArrayList<String>();
        try (DocumentCursor cursor = collection.find(filter)) {
            for (StoredDocument found = cursor.next(); found != null; found = cursor.next()) {
                ids.add(found.id());
            }
        }
        return ids;
    }

    private static List<String> expected(
            Map<String, Map<String, @Nullable Object>> documents, StoreFilter filter) {
        var expected = new HashMap<>(documents);
        expected.values().removeIf(document -> !ReferenceFilter.holds(filter, document));
        return expected.keySet().stream().sorted().toList();
    }
}
