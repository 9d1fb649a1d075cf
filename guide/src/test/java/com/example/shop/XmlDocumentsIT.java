package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.XmlDocument;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program of page 9. */
@Timeout(300)
class XmlDocumentsIT {
    private static DocumentCollection people(String database) {
        String url = "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
        return XmlDocuments.people(Shop.source(url));
    }

    @Test
    void conversion_thereAndBack_givesThePagesJsonAndTheSameXml() {
        String xml = "<order id=\"17\"><item>a</item><note/><item>b</item></order>";
        String json = XmlDocuments.asJson(xml);
        assertThat(json)
                .isEqualTo(
                        "{\"order\":{\"@id\":\"17\",\"item\":[\"a\",\"b\"],\"note\":null,\"#\":\"item note item\"}}");
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        XmlDocuments.asXml(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), back);
        assertThat(back.toString(StandardCharsets.UTF_8)).contains(xml);
    }

    @Test
    void search_byAVariable_findsNames() {
        DocumentCollection people = people("search");
        assertThat(XmlDocuments.names(people, "tv")).containsExactly("Eva");
        assertThat(XmlDocuments.names(people, "' or 'a' = 'a")).isEmpty();
        assertThat(people.explain("/person[hobbies/hobby = 'tv']").indexes()).isNotEmpty();
        try (Stream<XmlDocument> found = people.findByPath("person.hobbies.hobby = chess")) {
            assertThat(found.map(XmlDocument::id)).containsExactly("max");
        }
        assertThat(people.get("eva").orElseThrow().xml()).contains("<!-- since 2024 -->");
    }

    @Test
    void changes_atOnce_allCount() throws Exception {
        DocumentCollection people = people("change");
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(
                    Thread.ofVirtual()
                            .start(() ->
                                    XmlDocuments.change(
                                            people,
                                            "max",
                                            xml -> xml.replace("</name>", "+</name>"))));
        }
        for (Thread each : threads) {
            each.join();
        }
        assertThat(XmlDocuments.names(people, "chess")).containsExactly("Max++++");
    }
}
