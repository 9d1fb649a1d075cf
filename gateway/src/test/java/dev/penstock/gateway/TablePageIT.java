package dev.penstock.gateway;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.http.Admission;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages that a browser gets of tables: what they show, and where their links lead. */
@Tag("any-loops")
class TablePageIT {
    private static final String[] BROWSER = {
        "Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    };
    private static final Pattern LINK =
            Pattern.compile("<a ([^>]*)href=\"([^\"]*)\"[^>]*>([^<]*)</a>");
    private static final String[] NUMBERS = {
        "create table digits (d int primary key)",
        "insert into digits values (0),(1),(2),(3),(4),(5),(6),(7),(8),(9)",
        "create table numbers (n int primary key, word varchar(40), half int)",
        "insert into numbers select a.d + 10*b.d + 100*c.d, 'a word', a.d + 10*b.d from digits a, digits b, digits c"
                + " where c.d < 3",
    };
    private static final String[] FAMILY = {
        "create table parent (a varchar(60), b int, note varchar(20), primary key (a, b))",
        "insert into parent values ('a\u201Db\\c&d,e(f)%+', 1, 'odd'), ('\u00FC/\u00E4?', 2, 'letters')",
        "create table child (id int primary key, \"limit\" varchar(60), two int, up int,"
                + " foreign key (\"limit\", two) references parent (a, b), foreign key (up) references child (id))",
        "insert into child values (1, 'a\u201Db\\c&d,e(f)%+', 1, null), (2, '\u00FC/\u00E4?', 2, 1), (3, null, 2, 2)",
    };

    private static String page(Serving serving, String path) throws Exception {
        HttpResponse<String> answer = serving.get(path, BROWSER);
        assertThat(answer.statusCode()).as(path + "\n" + answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
                .isEqualTo("text/html; charset=utf-8");
        assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'")
                .doesNotContain("script");
        return answer.body();
    }

    /** Where the link goes that shows this text, as a path from the root. */
    private static String link(String page, String text) {
        Matcher links = LINK.matcher(page);
        while (links.find()) {
            if (links.group(3).equals(text)) {
                return absolute(links.group(2));
            }
        }
        throw new AssertionError("no link \"" + text + "\" in " + page);
    }

    private static List<String> links(String page, String start) {
        List<String> all = new ArrayList<>();
        Matcher links = LINK.matcher(page);
        while (links.find()) {
            if (links.group(2).startsWith(start)) {
                all.add(links.group(2));
            }
        }
        return all;
    }

    private static String absolute(String reference) {
        String plain =
                reference.replace("&amp;", "&").replace("&quot;", "\"").replace("&#39;", "'");
        return plain.startsWith("./") ? "/api/" + plain.substring(2) : plain;
    }

    private static int rows(String page) {
        return page.split("<tr>", -1).length - 2;
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void page_withoutALimit_hasAHundredRowsAndLeadsToTheOthers(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, NUMBERS)) {
            String first = page(serving, "/api/numbers?half=lt.90&order=n");
            assertThat(rows(first)).isEqualTo(100);
            assertThat(first).contains("Rows 1\u2013100 of 270").doesNotContain(">Back<");
            String last = page(serving, "/api/numbers" + link(first, "Last"));
            assertThat(rows(last)).isEqualTo(70);
            assertThat(last).contains("Rows 201\u2013270 of 270").doesNotContain(">Next<");
            String second = page(serving, "/api/numbers" + link(last, "Back"));
            assertThat(second).contains("Rows 101\u2013200 of 270", "<td class=\"n\">111</td>");
            assertThat(page(serving, "/api/numbers" + link(second, "First"))).isEqualTo(first);
            assertThat(page(serving, "/api/numbers" + link(first, "Next"))).isEqualTo(second);
        }
    }

    @Test
    void page_withAnOffsetThatIsNoMultiple_leadsToEveryRow() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            String page = page(serving, "/api/numbers?limit=7&offset=10&order=n");
            assertThat(page).contains("Rows 11\u201317 of 300");
            String last = page(serving, "/api/numbers" + link(page, "Last"));
            assertThat(last).contains("Rows 298\u2013300 of 300");
            assertThat(page(serving, "/api/numbers?limit=7&offset=3&order=n"))
                    .contains(">Back</a>", "rel=\"prev\" href=\"?limit=7&amp;order=n\"");
        }
    }

    @Test
    void page_beyondTheEnd_saysSoAndLeadsBack() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            String page = page(serving, "/api/numbers?offset=99999&order=n");
            assertThat(rows(page)).isZero();
            assertThat(page).contains("No rows here; there are 300");
            assertThat(page(serving, "/api/numbers" + link(page, "Back")))
                    .contains("Rows 201\u2013300 of 300");
            assertThat(page(serving, "/api/numbers?n=lt.0"))
                    .contains("pass these filters", "No rows");
            assertThat(page(serving, "/api/numbers?limit=0")).contains("No rows");
            assertThat(page(serving, "/api/numbers?limit=9223372036854775807"))
                    .contains("<span>300 rows</span>");
        }
    }

    @Test
    void downloads_ofAPage_areAllRowsOfItsQuery() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            String page = page(serving, "/api/numbers?half=lt.90&limit=5&offset=5");
            for (String format : List.of("csv", "ndjson")) {
                String all = serving.get("/api/numbers" + link(page, format), BROWSER).body();
                assertThat(all.lines().filter(line -> !line.startsWith("n,"))).hasSize(270);
            }
            String list = page(serving, "/api");
            assertThat(serving.get(link(list, "csv"), BROWSER).body().lines()).hasSize(11);
        }
    }

    @Test
    void heads_sortByTheirColumnUpAndDown() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            String page = page(serving, "/api/numbers?half=lt.3&offset=2");
            String up = link(page, "half");
            assertThat(up).isEqualTo("?half=lt.3&order=half.asc");
            String sorted = page(serving, "/api/numbers" + up);
            assertThat(sorted).contains("aria-sort=\"ascending\"");
            String down = link(sorted, "half \u25B2");
            assertThat(down).isEqualTo("?half=lt.3&order=half.desc");
            assertThat(page(serving, "/api/numbers" + down)).contains("half \u25BC");
        }
    }

    @Test
    void filterForm_whenSent_redirectsToTheSamePageWithOneMoreFilter() throws Exception {
        try (Serving serving = new Serving(Kind.H2, with(NUMBERS, FAMILY))) {
            assertThat(
                            sent(
                                    serving,
                                    "/api/numbers?order=n&offset=100&half=lt.9&",
                                    "n",
                                    "gte",
                                    "100"))
                    .isEqualTo("?order=n&half=lt.9&n=gte.100");
            assertThat(sent(serving, "/api/numbers?", "n", "in", "1,2")).isEqualTo("?n=in.(1,2)");
            assertThat(sent(serving, "/api/numbers?", "word", "is.null", "x"))
                    .isEqualTo("?word=is.null");
            assertThat(sent(serving, "/api/numbers?", "//evil.example", "eq", "//evil.example"))
                    .isEqualTo("?%2F%2Fevil.example=eq.%2F%2Fevil.example");
            assertThat(sent(serving, "/api/numbers?", "n", "drop", "1")).isEqualTo("?");
            String reserved = sent(serving, "/api/child?", "limit", "eq", "a\"b\\c&d,e(f)%+");
            String page = page(serving, "/api/child" + reserved);
            assertThat(page).contains("<span>1 row</span>");
            assertThat(page(serving, "/api/child" + link(page, "\u00D7"))).contains("3 rows");
            assertThat(
                            page(
                                    serving,
                                    "/api/child"
                                            + sent(serving, "/api/child?", "limit", "is.null", "")))
                    .contains("<span>1 row</span>");
        }
    }

    private static String sent(
            Serving serving, String path, String column, String operator, String value)
            throws Exception {
        String query =
                "filter-column=%s&filter-operator=%s&filter-value=%s"
                        .formatted(Serving.encoded(column), operator, Serving.encoded(value));
        HttpResponse<String> answer = serving.get(path + query, BROWSER);
        assertThat(answer.statusCode()).isEqualTo(303);
        return answer.headers().firstValue("Location").orElseThrow();
    }

    private static String[] with(String[] some, String[] more) {
        List<String> all = new ArrayList<>(List.of(some));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void foreignKeys_ofOneAndOfTwoColumns_leadToTheRowAndBack(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, FAMILY)) {
            String children = page(serving, "/api/child?order=id");
            assertThat(links(children, "./parent?")).hasSize(4);
            String odd = page(serving, absolute(links(children, "./parent?").getFirst()));
            assertThat(odd).contains("<td>odd</td>");
            assertThat(page(serving, absolute(links(children, "./parent?").getLast())))
                    .contains("<td>letters</td>");
            String referrers = link(odd, "child");
            assertThat(page(serving, referrers))
                    .contains("<span>1 row</span>", "<td class=\"n\">1</td>");
            String self = page(serving, absolute(links(children, "./child?").getFirst()));
            assertThat(self).contains("<h1>child 1</h1>", "<small>by up</small>");
        }
    }

    @Test
    void rowLink_ofATableWithAKey_leadsToThePageOfTheRow() throws Exception {
        try (Serving serving = new Serving(Kind.H2, FAMILY)) {
            String parents = page(serving, "/api/parent?note=eq.odd");
            String row = page(serving, "/api/parent" + link(parents, "\u203A"));
            assertThat(row).contains("<td>odd</td>", "a&quot;b\\c&amp;d,e(f)%+");
            assertThat(page(serving, "/api/parent?a=eq.nothing&b=eq.1"))
                    .contains("pass these filters");
        }
    }

    @Test
    void cells_ofEveryKind_areEscapedShortenedAndToldApart() throws Exception {
        String[] tables = {
            "create table cells (id int primary key, \"<i>'&\" text, raw bytea)",
            "insert into cells values (1, '<script>alert(1)</script>', null), (2, '', null), (3, null, null)",
            "create table keyless (t text)",
        };
        try (Serving serving = new Serving(Kind.H2, tables)) {
            String letters = "\u00E9\u20AC\uD83D\uDE00 ".repeat(20_000);
            for (String statement :
                    List.of(
                            "insert into cells values (4, '" + letters + "', X'00ff10')",
                            "insert into cells values (5, 'x', X'" + "ab".repeat(900) + "')",
                            "insert into keyless values ('"
                                    + letters.substring(0, 10_000)
                                    + "')")) {
                serving.database.execute(statement);
            }
            String page = page(serving, "/api/cells?order=id");
            assertThat(page)
                    .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "&lt;i&gt;&#39;&amp;")
                    .contains(
                            "<td><span class=\"z\">empty</span></td>", "<td class=\"z\">NULL</td>")
                    .contains("<code>00 ff 10</code> <small>3 bytes</small>", "900 bytes</a>")
                    .contains("200,000 bytes</a>")
                    .doesNotContain("<script", "\uFFFD")
                    .hasSizeLessThan(16_000);
            String row = page(serving, "/api/cells" + link(page, "200,000 bytes"));
            assertThat(row).hasSizeBetween(30_000, 80_000).doesNotContain("\uFFFD");
            String whole = serving.get("/api/cells" + link(row, "200,000 bytes"), BROWSER).body();
            assertThat(whole).isEqualTo("[{\"<i>'&\":\"" + letters + "\"}]\n");
            String keyless = page(serving, "/api/keyless");
            assertThat(serving.get("/api/keyless" + link(keyless, "20,000 bytes"), BROWSER).body())
                    .isEqualTo("[{\"t\":\"" + letters.substring(0, 10_000) + "\"}]\n");
        }
    }

    @Test
    void tables_withManyColumnsOrOddNames_havePages() throws Exception {
        StringBuilder wide = new StringBuilder("create table wide (c0 int primary key");
        for (int i = 1; i < 150; i++) {
            wide.append(", c").append(i).append(" varchar(10)");
        }
        String[] tables = {
            wide + ")",
            "insert into wide (c0, c149) values (1, 'end')",
            "create table \"o d.d,:x\" (\"a.b\" int primary key, \"c,d\" int, \"select\" int, \"filter-column\" int)",
            "insert into \"o d.d,:x\" values (1, 2, 3, 4)",
            "create view seen as select c0 from wide",
        };
        try (Serving serving = new Serving(Kind.H2, tables)) {
            assertThat(page(serving, "/api/wide")).contains(">c149</a>", "<td>end</td>");
            assertThat(page(serving, "/api/seen")).contains("<td class=\"n\">1</td>");
            String odd = page(serving, link(page(serving, "/api"), "o d.d,:x"));
            for (String column : List.of("a.b", "c,d", "select", "filter-column")) {
                String sorted = page(serving, "/api/o%20d.d%2C%3Ax" + link(odd, column));
                assertThat(sorted).contains(column + " \u25B2", "<span>1 row</span>");
            }
            assertThat(page(serving, "/api/o%20d.d%2C%3Ax" + link(odd, "\u203A"))).contains("<h1>");
        }
    }

    @Test
    void look_withoutALimit_doesNotQueueBehindBulkReads() throws Exception {
        try (Serving serving =
                        new Serving(
                                Kind.H2,
                                gateway -> gateway.bulk(new Admission(1, 0, Duration.ofMillis(1))),
                                with(
                                        NUMBERS,
                                        new String[] {
                                            "create table many (n int, word varchar(40))",
                                            "insert into many select a.n, 'a word that fills buffers' from numbers a, numbers b,"
                                                    + " numbers c where c.n < 3",
                                        }));
                Socket stalled = serving.open("GET /api/many?format=csv HTTP/1.1")) {
            // Its answer has begun, and what is left of it is more than all buffers on the way.
            assertThat(stalled.getInputStream().readNBytes(12))
                    .asString(US_ASCII)
                    .isEqualTo("HTTP/1.1 200");
            assertThat(serving.get("/api/many?format=csv").statusCode()).isEqualTo(503);
            assertThat(rows(page(serving, "/api/numbers"))).isEqualTo(100);
            assertThat(rows(page(serving, "/api/numbers?format=html"))).isEqualTo(100);
        }
    }

    @Test
    void mistake_inABrowser_isAPageWithAWayBack() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            HttpResponse<String> unknown = serving.get("/api/number", BROWSER);
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body()).contains("there is numbers", "href=\"./../api\"");
            HttpResponse<String> grammar = serving.get("/api/numbers?n=gte.x", BROWSER);
            assertThat(grammar.statusCode()).isEqualTo(400);
            assertThat(grammar.body()).contains("?n=gte.<mark>x</mark>", "href=\"./numbers\"");
            HttpResponse<String> format = serving.get("/api/numbers?format=doc", BROWSER);
            assertThat(format.statusCode()).isEqualTo(406);
            assertThat(format.body()).startsWith("<!DOCTYPE html>");
            assertThat(serving.get("/api/number").body()).startsWith("{");
        }
    }

    @Test
    void head_ofAPage_hasItsHeadersAndNoBody() throws Exception {
        try (Serving serving = new Serving(Kind.H2, NUMBERS)) {
            HttpResponse<String> head = serving.send("HEAD", "/api/numbers", BROWSER);
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.headers().firstValue("Content-Type").orElseThrow())
                    .startsWith("text/html");
            assertThat(head.body()).isEmpty();
        }
    }
}
