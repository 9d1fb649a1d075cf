package com.example.shop;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.collection.DocumentCollection;
import dev.penstock.documents.collection.Documents;
import dev.penstock.documents.collection.FoundNode;
import dev.penstock.documents.collection.XmlDocument;
import dev.penstock.documents.convert.Converter;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** Page 9 of the guide: XML documents. */
public final class XmlDocuments {
    public static void main(String[] arguments) {
        DocumentCollection people = people(Shop.source(Shop.URL));
        System.out.println(names(people, "tv"));
        System.out.println(people.explain("/person[hobbies/hobby = 'tv']"));
    }

    // region convert
    static String asJson(String xml) {
        return Converter.exact().toJson(xml);
    }

    static void asXml(InputStream json, OutputStream xml) {
        Converter.exact().toXml(json, xml);
    }

    // end

    // region store
    static DocumentCollection people(DataSource source) {
        DocumentCollection people = Documents.open(source).collection("people");
        people.index("person.hobbies.hobby");
        people.put(
                "eva",
                """
                <person>
                  <name>Eva</name>
                  <!-- since 2024 -->
                  <hobbies><hobby>tv</hobby><hobby>tennis</hobby></hobbies>
                </person>
                """);
        people.put(
                "max", "<person><name>Max</name><hobbies><hobby>chess</hobby></hobbies></person>");
        return people;
    }

    // end

    // region find
    static List<String> names(DocumentCollection people, String hobby) {
        try (Stream<FoundNode> names =
                people.select(
                        "/person[hobbies/hobby = $hobby]/name", Map.of(), Map.of("hobby", hobby))) {
            return names.map(FoundNode::text).toList();
        }
    }

    // end

    // region change
    static void change(DocumentCollection people, String id, UnaryOperator<String> change) {
        while (true) {
            XmlDocument before = people.get(id).orElseThrow();
            try {
                people.put(id, change.apply(before.xml()), before.version());
                return;
            } catch (DocumentException e) {
                if (e.kind() != DocumentException.Kind.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    // end
}
