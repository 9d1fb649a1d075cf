package dev.penstock.documents.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.store.TestStore;
import dev.penstock.documents.store.TestStore.Kind;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A document in pieces that is overwritten while it is found comes in one of its versions, and always comes. */
class OverwrittenDocumentConformanceTest {
    private static final int SEARCHES = 4;

    /** Deeper than any store holds in one value, and of several pieces. */
    private static String big(int number) {
        return "<r><n>"
                + number
                + "</n><m>x</m>"
                + "<d>".repeat(1100)
                + Integer.toString(number).repeat(1_100_000 / Integer.toString(number).length())
                + "</d>".repeat(1100)
                + "<n>"
                + number
                + "</n></r>";
    }

    private static void assertWhole(XmlDocument document) {
        String xml = document.xml();
        String number = xml.substring("<r><n>".length(), xml.indexOf("</n>"));
        assertThat(xml.equals(big(Integer.parseInt(number)))).as("version %s", number).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void find_documentInPiecesIsOverwritten_givesOneVersion(Kind kind) throws Exception {
        var stopped = new AtomicBoolean();
        try (TestStore store = TestStore.create(kind);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            DocumentCollection collection = store.documents().collection("large");
            for (int i = 0; i < 30; i++) {
                collection.put("c" + (10 + i), "<r><m>x</m></r>");
            }
            collection.put("d", big(100));
            Future<?> writer =
                    threads.submit(() -> {
                        for (int i = 101; !stopped.get(); i++) {
                            collection.put("d", big(i));
                        }
                    });
            try {
                for (String xpath : List.of("/r/m = 'x'", "count(/r/m) = 1")) {
                    for (int i = 0; i < SEARCHES / 2; i++) {
                        find(collection, xpath);
                    }
                }
            } finally {
                stopped.set(true);
                writer.get();
            }
        }
    }

    private static void find(DocumentCollection collection, String xpath) {
        try (Stream<XmlDocument> found = collection.find(xpath)) {
            List<String> ids =
                    found.map(
                                    document -> {
                                        if (document.id().equals("d")) {
                                            assertWhole(document);
                                        }
                                        return document.id();
                                    })
                            .toList();
            assertThat(ids).hasSize(31).isSorted().endsWith("d");
        }
    }
}
