package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** XML documents over HTTP: stored, conditionally written, found, and loaded in bulk. */
@Tag("any-loops")
class DocumentsIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String ANNA =
            "<person><name>Anna</name><hobbies><hobby>tv</hobby><hobby>chess</hobby></hobbies></person>";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static PenstockProcess serving() throws IOException {
        return serving("jdbc:h2:mem:documents;DB_CLOSE_DELAY=-1");
    }

    private static PenstockProcess serving(String database) throws IOException {
        return serving("64m", database);
    }

    private static PenstockProcess serving(String heap, String database) throws IOException {
        return PenstockProcess.serving(
                heap,
                Map.of(),
                List.of("serve", "--jdbc", database, "--documents", "people,orders"));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.timeout(LIMIT).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder at(PenstockProcess server, String path) {
        return HttpRequest.newBuilder(server.uri("/documents" + path));
    }

    private static HttpRequest.Builder put(PenstockProcess server, String path, String xml) {
        return at(server, path).PUT(BodyPublishers.ofString(xml));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String tag(HttpResponse<?> response) {
        return response.headers().firstValue("ETag").orElseThrow();
    }

    @Test
    void document_putReadReplacedDeleted_byItsVersion() throws Exception {
        try (PenstockProcess server = serving()) {
            HttpResponse<String> made =
                    send(put(server, "/people/anna", ANNA).header("If-None-Match", "*"));
            assertThat(made.statusCode()).isEqualTo(201);
            HttpResponse<String> read = send(at(server, "/people/anna"));
            assertThat(read.body()).isEqualTo(ANNA);
            assertThat(tag(read)).isEqualTo(tag(made));
            assertThat(
                            send(at(server, "/people/anna").header("If-None-Match", tag(made)))
                                    .statusCode())
                    .isEqualTo(304);
            HttpResponse<String> json =
                    send(at(server, "/people/anna").header("Accept", "application/json"));
            assertThat(json.body()).contains("\"name\":\"Anna\"", "\"hobby\":[\"tv\",\"chess\"]");
            assertThat(
                            send(put(server, "/people/anna", ANNA).header("If-None-Match", "*"))
                                    .statusCode())
                    .isEqualTo(412);
            HttpResponse<String> replaced =
                    send(put(server, "/people/anna", "<person/>").header("If-Match", tag(made)));
            assertThat(replaced.statusCode()).isEqualTo(204);
            assertThat(
                            send(at(server, "/people/anna").DELETE().header("If-Match", tag(made)))
                                    .statusCode())
                    .isEqualTo(412);
            assertThat(
                            send(at(server, "/people/anna")
                                            .DELETE()
                                            .header("If-Match", tag(replaced)))
                                    .statusCode())
                    .isEqualTo(204);
            assertThat(send(at(server, "/people/anna")).statusCode()).isEqualTo(404);

            String id = "a%3Fb%2Fc%25";
            HttpResponse<String> spelled = send(put(server, "/people/" + id, "<person/>"));
            assertThat(spelled.headers().firstValue("Location"))
                    .contains("/documents/people/" + id);
            assertThat(send(at(server, "/people/" + id)).body()).isEqualTo("<person/>");
        }
    }

    @Test
    void search_byXPathAndPath_inThreeForms() throws Exception {
        try (PenstockProcess server = serving()) {
            send(put(server, "/people/anna", ANNA));
            send(
                    put(
                            server,
                            "/people/bert",
                            "<p:person xmlns:p='urn:p'><p:name>B</p:name></p:person>"));
            String hobbies = "/people?xpath=" + encoded("//hobby");
            assertThat(send(at(server, hobbies)).body())
                    .contains(
                            "<result id=\"anna\" kind=\"element\" name=\"hobby\"><hobby>tv</hobby></result>");
            assertThat(send(at(server, hobbies).header("Accept", "application/x-ndjson")).body())
                    .startsWith("{\"id\":\"anna\",\"kind\":\"element\",\"name\":\"hobby\"")
                    .hasLineCount(2);
            assertThat(
                            send(at(
                                                    server,
                                                    "/people?give=documents&ns.q=urn:p&xpath="
                                                            + encoded("/q:person[q:name='B']"))
                                            .header("Accept", "application/json"))
                                    .body())
                    .contains("\"id\":\"bert\"")
                    .doesNotContain("anna");
            assertThat(
                            send(at(server, "/people?path=" + encoded("person.hobbies.hobby = tv")))
                                    .body())
                    .contains("id=\"anna\"")
                    .doesNotContain("bert");
            assertThat(
                            send(at(
                                            server,
                                            "/people?explain=true&xpath="
                                                    + encoded("//hobby='tv'")))
                                    .body())
                    .contains(
                            "\"store\":\"H2\"", "\"exact\":false", "\"indexes\":[],\"unused\":[]");
        }
    }

    /**
     * The document is half of the server's heap, and its searches would take several times that. H2, which is in the
     * same heap, needs up to 50 MB for documents of any size where the processors are busy.
     */
    @Test
    void largeDocument_inResults_isStreamed(@TempDir Path directory) throws Exception {
        int items = 500_000;
        String item = "<item>" + "x".repeat(90) + "</item>";
        String declaration = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>";
        byte[] xml =
                (declaration + "<r>" + item.repeat(items) + "\u00e9</r>")
                        .getBytes(StandardCharsets.ISO_8859_1);
        String database = "jdbc:h2:" + directory.resolve("documents");
        DriverManager.getConnection(database).close();
        try (PenstockProcess server = serving("96m", database)) {
            HttpRequest.Builder put =
                    at(server, "/people/large").PUT(BodyPublishers.ofByteArray(xml));
            HttpResponse<String> made = send(put);
            assertThat(made.statusCode()).as(made.body() + server.err()).isEqualTo(201);
            HttpResponse<InputStream> results =
                    CLIENT.send(
                            at(server, "/people").build(),
                            HttpResponse.BodyHandlers.ofInputStream());
            int found = 0;
            try (InputStream in = results.body()) {
                XMLStreamReader reader =
                        XMLInputFactory.newDefaultFactory().createXMLStreamReader(in);
                while (reader.hasNext()) {
                    boolean isItem =
                            reader.next() == XMLStreamConstants.START_ELEMENT
                                    && reader.getLocalName().equals("item");
                    found += isItem ? 1 : 0;
                }
            }
            assertThat(found).isEqualTo(items);
            HttpResponse<String> searched =
                    send(at(server, "/people?xpath=" + encoded("count(//item[contains(., 'y')])")));
            assertThat(searched.statusCode()).isEqualTo(413);
            assertThat(searched.body()).contains("a quarter of the heap", "documents of their own");
            assertThat(send(put(server, "/people/anna", ANNA)).statusCode()).isEqualTo(201);
        }
    }

    @Test
    void load_records_areDocuments() throws Exception {
        try (PenstockProcess server = serving()) {
            HttpResponse<String> loaded =
                    send(
                            at(server, "/orders?record=/root/item")
                                    .POST(
                                            BodyPublishers.ofString(
                                                    "<root><item n='1'/><item n='2'/></root>")));
            assertThat(loaded.body()).isEqualTo("{\"documents\":2}\n");
            assertThat(send(at(server, "/orders")).body()).contains("n=\"1\"", "n=\"2\"");
            HttpResponse<String> made =
                    send(at(server, "/orders").POST(BodyPublishers.ofString("<item n='3'/>")));
            assertThat(made.statusCode()).isEqualTo(201);
            String place = made.headers().firstValue("Location").orElseThrow();
            assertThat(server.body(place)).isEqualTo("<item n=\"3\"/>");
        }
    }

    @Test
    void mistakes_areToldWithTheirPlace() throws Exception {
        try (PenstockProcess server = serving()) {
            HttpResponse<String> broken = send(put(server, "/people/x", "<a>\n<b></a>"));
            assertThat(broken.statusCode()).isEqualTo(400);
            assertThat(broken.body()).contains("line 2");
            HttpResponse<String> wrong = send(at(server, "/people?xpath=" + encoded("//a[")));
            assertThat(wrong.statusCode()).isEqualTo(400);
            assertThat(send(at(server, "/nowhere/x")).statusCode()).isEqualTo(404);
            for (String id : List.of("a%20b", "%01", "%C3%A9", "x".repeat(201))) {
                String path = "/people/" + id;
                for (HttpRequest.Builder request :
                        List.of(
                                at(server, path),
                                put(server, path, "<a/>"),
                                put(server, path, "<a/>").header("If-None-Match", "*"),
                                at(server, path).DELETE())) {
                    HttpResponse<String> refused = send(request);
                    assertThat(refused.statusCode()).as(id).isEqualTo(400);
                    assertThat(refused.body())
                            .contains("is no id of a document: use 1 to 200 printable characters");
                }
            }
            assertThat(send(at(server, "/people/%00")).statusCode()).isEqualTo(400);
            assertThat(send(at(server, "/people?wrong=1")).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void page_browser_getsIt() throws Exception {
        try (PenstockProcess server = serving()) {
            HttpResponse<String> page = send(at(server, "").header("Accept", "text/html"));
            assertThat(page.body()).contains("XML documents").doesNotContain("{{");
            assertThat(send(at(server, "").header("Accept", "application/json")).body())
                    .isEqualTo("{\"collections\":[\"orders\",\"people\"]}\n");
        }
    }
}
