package dev.penstock.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpException;
import dev.penstock.http.server.RawClient;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An error as a browser sees it, and as a program does. */
@Tag("any-loops")
final class ProblemPageIT extends ServerFixture {
    private static final String ACCEPT =
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    private static final String BROWSER =
            " HTTP/1.1\r\nHost: localhost\r\nAccept: " + ACCEPT + "\r\n\r\n";

    private Server server() {
        return start(b ->
                b.get("/", x -> x.respond(200, "text/plain", "home"))
                        .get("/api", x -> x.respond(200, "text/plain", "list"))
                        .get(
                                "/api/{table}",
                                x -> {
                                    throw new HttpException(400, "no <column> \"x\" & 'y'")
                                            .with("position", Integer.parseInt(x.query()))
                                            .header("X-Hint", "please");
                                })
                        .get(
                                "/bug",
                                _ -> {
                                    throw new IllegalStateException("secret");
                                }));
    }

    @Test
    void error_inABrowser_isAPageWithTheReasonThePlaceAndAWayBack() throws Exception {
        try (RawClient client = new RawClient(server().port())) {
            Reply bad = client.send("GET /api/a%2F%3Cb?000002" + BROWSER).reply();
            assertThat(bad.status()).isEqualTo(400);
            assertThat(bad.header("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(bad.header("X-Hint")).contains("please");
            assertThat(bad.header("Vary")).contains("Accept, Accept-Encoding");
            assertThat(bad.header("Content-Security-Policy").orElseThrow())
                    .startsWith("default-src 'none'")
                    .doesNotContain("script");
            assertThat(bad.text())
                    .contains("<title>400 Bad Request</title>")
                    .contains("no &lt;column&gt; &quot;x&quot; &amp; &#39;y&#39;")
                    .contains("?00<mark>0</mark>002")
                    .doesNotContain("<b?")
                    .doesNotContain("<script");
        }
    }

    @Test
    void error_belowOtherPages_linksThoseThatThereAre() throws Exception {
        try (RawClient client = new RawClient(server().port())) {
            assertThat(client.send("GET /api/film?1" + BROWSER).reply().text())
                    .contains(
                            "<nav><a href=\"./../\">Home</a><a href=\"./../api\">api</a>"
                                    + "<a href=\"./film\">film</a></nav>");
            assertThat(client.send("GET /api/film/more?x" + BROWSER).reply().text())
                    .contains(
                            "<nav><a href=\"./../../\">Home</a><a href=\"./../../api\">api</a>"
                                    + "<a href=\"./../film\">film</a></nav>");
            assertThat(client.send("GET /nothing?x" + BROWSER).reply().text())
                    .contains("<nav><a href=\"./\">Home</a></nav>");
        }
    }

    @Test
    void failure_ofTheServer_tellsABrowserNothingOfItsCause() throws Exception {
        try (RawClient client = new RawClient(server().port())) {
            Reply bug = client.send("GET /bug" + BROWSER).reply();
            assertThat(bug.status()).isEqualTo(500);
            assertThat(bug.text()).contains("its log says why").doesNotContain("secret");
        }
    }

    @Test
    void error_withThePlaceAtAnEnd_isAPage() throws Exception {
        try (RawClient client = new RawClient(server().port())) {
            for (String query : List.of("0", "2", "999999")) {
                assertThat(client.send("GET /api/t?" + query + BROWSER).reply().text())
                        .as(query)
                        .contains("<mark>");
            }
        }
    }

    @Test
    void page_isWantedByWhoNamesIt() {
        assertThat(ProblemPage.isWanted(List.of("text/html"))).isTrue();
        assertThat(ProblemPage.isWanted(List.of("application/json;q=0.9", "text/html"))).isTrue();
        assertThat(ProblemPage.isWanted(List.of())).isFalse();
        assertThat(ProblemPage.isWanted(List.of("*/*"))).isFalse();
        assertThat(ProblemPage.isWanted(List.of("text/*"))).isFalse();
        assertThat(ProblemPage.isWanted(List.of("application/json"))).isFalse();
        assertThat(ProblemPage.isWanted(List.of("application/json, text/html;q=0.5"))).isFalse();
        assertThat(ProblemPage.isWanted(List.of("text/html;q=0"))).isFalse();
        assertThat(ProblemPage.isWanted(List.of("text/html;q=x, application/json"))).isTrue();
    }
}
