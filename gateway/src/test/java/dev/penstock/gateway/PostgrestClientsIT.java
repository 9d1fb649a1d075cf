package dev.penstock.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.gateway.request.FilterGrammar;
import dev.penstock.gateway.request.FormReader;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests of PostgREST's clients by headers and bodies, and the errors that they read. */
@Tag("any-loops")
class PostgrestClientsIT {
    private static final String[] PEOPLE = {
        "create table people (id int primary key, name varchar(100), note varchar(100))",
        "insert into people values (1, 'Ann', 'a'), (2, 'Bob', null), (3, null, null), (4, 'Eve', 'b')",
    };

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void profile_ofAnotherSchema_isRefusedWithItsName(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, PEOPLE)) {
            String served = serving.schema();
            for (String path : List.of("/api/people", "/api/people/", "/api")) {
                HttpResponse<String> other = serving.get(path, "Accept-Profile", "other");
                assertThat(other.statusCode()).as(path).isEqualTo(406);
                assertThat(other.body())
                        .contains(
                                "\"code\":\"PGRST106\"",
                                "\"message\":\"Invalid schema: other\"",
                                "\"hint\":\"Only the following schemas are exposed: " + served);
                HttpResponse<String> same = serving.get(path, "Accept-Profile", served);
                assertThat(same.statusCode()).as(path).isEqualTo(200);
                assertThat(header(same, "Content-Profile")).isEqualTo(served);
            }
            String form = "id=eq.1";
            assertThat(serving.post("/api/people", form, "Content-Profile", "other").statusCode())
                    .isEqualTo(406);
            assertThat(serving.post("/api/people", form, "Content-Profile", served).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void nulls_stripped_areLeftOut() throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            String path = "/api/people?order=id&id=lt.4";
            String stripped =
                    "[{\"id\":1,\"name\":\"Ann\",\"note\":\"a\"},\n{\"id\":2,\"name\":\"Bob\"},\n{\"id\":3}]\n";
            for (String type :
                    List.of(
                            "application/json;nulls=stripped",
                            "application/vnd.pgrst.array+json; nulls=stripped",
                            "application/vnd.pgrst.array+json;nulls=\"stripped\", */*;q=0.1")) {
                assertThat(serving.get(path, "Accept", type).body()).as(type).isEqualTo(stripped);
            }
            assertThat(
                            serving.get(
                                            "/api/people?id=eq.3",
                                            "Accept",
                                            "application/vnd.pgrst.object+json;nulls=stripped")
                                    .body())
                    .isEqualTo("{\"id\":3}\n");
            assertThat(
                            serving.get(
                                            "/api/people?select=note&id=eq.3",
                                            "Accept",
                                            "application/json;nulls=stripped")
                                    .body())
                    .isEqualTo("[{}]\n");
            assertThat(serving.get(path, "Accept", "text/csv;nulls=stripped").statusCode())
                    .isEqualTo(406);
            assertThat(serving.get(path, "Accept", "application/vnd.pgrst.plan+json").statusCode())
                    .isEqualTo(406);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limit=3 | 0-1 | 206 | 0-1/* | 1 2",
                "limit=1 | 0-2 | 206 | 0-0/* | 1",
                "limit=2&offset=1 | 2-9 | 206 | 2-2/* | 3",
                "offset=2 | 0-2 | 206 | 2-2/* | 3",
                "offset=1 | 0- | 206 | 1-3/* | 2 3 4",
                "limit=9223372036854775807 | 3-999999999999999999 | 206 | 3-3/* | 4",
                "limit=0 | 0-1 | 200 | */4 | ''",
                "limit=2 | 2-3 | 416 | */* | ''",
                "limit=2 | 3-2 | 416 | */* | ''",
            })
    void range_withLimitAndOffset_isTheirIntersection(
            String query, String range, int status, String contentRange, String ids)
            throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            HttpResponse<String> answer =
                    serving.get(
                            "/api/people?select=id&order=id&format=csv&" + query, "Range", range);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
            assertThat(header(answer, "Content-Range")).isEqualTo(contentRange);
            if (status == 416) {
                assertThat(answer.body()).contains("\"code\":\"PGRST103\"");
            } else {
                assertThat(answer.body().lines().skip(1).collect(Collectors.joining(" ")))
                        .isEqualTo(ids);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void counts_areHadAsTheyArePreferred(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, Serving.numbers(3000))) {
            serving.analyze("numbers");
            HttpResponse<String> exact =
                    serving.get("/api/numbers?limit=5&id=lte.2000", "Prefer", "count=exact");
            assertThat(header(exact, "Content-Range")).isEqualTo("0-4/2000");
            assertThat(header(exact, "Preference-Applied")).isEqualTo("count=exact");
            boolean estimates = kind != Kind.H2;
            for (String how : List.of("count=planned", "count=estimated")) {
                HttpResponse<String> page =
                        serving.get("/api/numbers?limit=5&offset=5", "Prefer", how);
                assertThat(page.statusCode()).isEqualTo(estimates ? 206 : 200);
                assertThat(header(page, "Preference-Applied")).isEqualTo(estimates ? how : "");
                HttpResponse<String> all = serving.send("HEAD", "/api/numbers", "Prefer", how);
                assertThat(all.statusCode()).isEqualTo(200);
                if (estimates) {
                    assertThat(header(page, "Content-Range")).matches("5-9/[0-9]+");
                    assertThat(header(all, "Content-Range")).matches("\\*/[0-9]+");
                    long expected =
                            Long.parseLong(header(all, "Content-Range").substring("*/".length()));
                    assertThat(expected).isBetween(1500L, 6000L);
                }
                HttpResponse<String> strict =
                        serving.get("/api/numbers?limit=5", "Prefer", how + ", handling=strict");
                assertThat(strict.statusCode()).isEqualTo(estimates ? 206 : 400);
            }
            HttpResponse<String> few =
                    serving.get("/api/numbers?id=lte.7", "Prefer", "count=estimated");
            assertThat(header(few, "Content-Range")).isEqualTo("0-6/7");
        }
    }

    @Test
    void preferences_thatAreUnknown_areRefusedWhereThatIsWanted() throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            HttpResponse<String> lenient =
                    serving.get("/api/people", "Prefer", "anything, handling=lenient");
            assertThat(lenient.statusCode()).isEqualTo(200);
            assertThat(header(lenient, "Preference-Applied")).isEqualTo("handling=lenient");
            HttpResponse<String> strict =
                    serving.get(
                            "/api/people",
                            "Prefer",
                            "handling=strict",
                            "Prefer",
                            "tx=rollback, else");
            assertThat(strict.statusCode()).isEqualTo(400);
            assertThat(strict.body())
                    .contains(
                            "\"code\":\"PGRST122\"",
                            "\"details\":\"Invalid preferences: tx=rollback, else\"");
            HttpResponse<String> known =
                    serving.get("/api/people", "Prefer", "handling=strict, count=exact");
            assertThat(header(known, "Preference-Applied"))
                    .isEqualTo("handling=strict, count=exact");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | /api/people?nope=eq.1 | 400 | unknown_column | 42703",
                "GET | /api/people?id=eq.x | 400 | malformed_value | 22P02",
                "GET | /api/people?id=foo.1 | 400 | unknown_operator | PGRST100",
                "GET | /api/nope | 404 | unknown_table | PGRST205",
                "GET | /api/people?format=gif | 406 | not_acceptable | PGRST107",
                "GET | /api/people/1/2 | 404 | | PGRST125",
                "PUT | /api/people | 405 | | PGRST117",
                "PATCH | /api | 405 | | PGRST117",
                "POST | /api/people | 415 | not_a_form | PGRST107",
                "GET | /api/people?id=%zz | 400 | | PGRST100",
            })
    void errors_ofEveryOrigin_haveTheMembersOfPostgrest(
            String method, String path, int status, @Nullable String kind, String code)
            throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            checkError(serving.raw(method + " " + path + " HTTP/1.1"), status, kind, code);
        }
    }

    private static void checkError(String answer, int status, @Nullable String kind, String code) {
        String type = kind == null ? "about:blank" : "urn:penstock:problem:" + kind;
        assertThat(answer)
                .startsWith("HTTP/1.1 " + status)
                .contains("\"type\":\"" + type + "\"", "\"status\":" + status, "\"detail\":\"")
                .contains(
                        "\"code\":\"" + code + "\"", "\"message\":\"", "\"details\":", "\"hint\":");
    }

    @Test
    void errors_beforeTheRequestIsKnown_haveThemToo() throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            checkError(
                    serving.raw("GET /api/people?" + "x".repeat(10_000) + " HTTP/1.1"),
                    414,
                    null,
                    "54000");
        }
    }

    @Test
    void singular_thatIsNone_saysHowManyThereAre() throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            String accept = "application/vnd.pgrst.object+json";
            assertThat(serving.get("/api/people?id=eq.9", "Accept", accept).body())
                    .contains(
                            "\"code\":\"PGRST116\"",
                            "\"message\":\"Cannot coerce the result to a single JSON object\"",
                            "\"details\":\"The result contains 0 rows\"");
            assertThat(serving.get("/api/people", "Accept", accept).body())
                    .contains("\"details\":\"The result contains several rows\"");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void form_ofManyKeys_isAQuery(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, Serving.numbers(3000))) {
            String keys =
                    IntStream.range(0, FilterGrammar.MAX_VALUES)
                            .mapToObj(i -> Integer.toString(i - 29_000))
                            .collect(Collectors.joining(","));
            HttpResponse<String> answer =
                    serving.post(
                            "/api/numbers?select=id",
                            "order=id.desc&limit=2&id=in.(" + keys + ")",
                            "Prefer",
                            "count=exact");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(206);
            assertThat(answer.body()).isEqualTo("[{\"id\":2999},\n{\"id\":2998}]\n");
            assertThat(header(answer, "Content-Range")).isEqualTo("0-1/2999");
            String texts =
                    IntStream.range(0, FilterGrammar.MAX_VALUES)
                            .mapToObj(i -> "n%20" + i)
                            .collect(Collectors.joining("%2C"));
            HttpResponse<String> text =
                    serving.post(
                            "/api/numbers/", "label=not.in.(" + texts + ")&select=id&order=id");
            assertThat(text.statusCode()).as(text.body()).isEqualTo(200);
            assertThat(text.body()).isEqualTo("[]\n");
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void form_ofManyConditions_isAQuery(Kind kind) throws Exception {
        try (Serving serving = new Serving(kind, PEOPLE)) {
            for (String tree : List.of("or", "not.and")) {
                String conditions =
                        IntStream.range(0, FilterGrammar.MAX_CONDITIONS)
                                .mapToObj(i -> tree.equals("or") ? "id.eq." + i : "id.neq." + i)
                                .collect(Collectors.joining(","));
                HttpResponse<String> answer =
                        serving.post(
                                "/api/people", tree + "=(" + conditions + ")&select=id&format=csv");
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
                assertThat(answer.body().lines()).hasSize(5);
            }
        }
    }

    @Test
    void form_thatIsTooLongOrNone_isRefused() throws Exception {
        try (Serving serving = new Serving(Kind.H2, PEOPLE)) {
            String keys = "1,".repeat(99_999) + "1";
            HttpResponse<String> many = serving.post("/api/people", "id=in.(" + keys + ")");
            assertThat(many.statusCode()).isEqualTo(413);
            assertThat(many.body())
                    .contains("urn:penstock:problem:too_many_values", "more than 32000 values");
            HttpResponse<String> large =
                    serving.post("/api/people", "name=eq." + "x".repeat(FormReader.MAX_BYTES));
            assertThat(large.statusCode()).isEqualTo(413);
            assertThat(large.body()).contains("too_large", "more than 1048576 bytes");
            assertThat(
                            serving.post(
                                            "/api/people",
                                            "name=eq." + "x".repeat(FormReader.MAX_BYTES - 8))
                                    .statusCode())
                    .isEqualTo(200);
            assertThat(serving.post("/api/people", "name=eq.\u00E9").body())
                    .contains("PGRST102", "no ASCII");
            HttpResponse<String> json =
                    serving.post("/api/people", "{}", "Content-Type", "application/json");
            assertThat(json.statusCode()).isEqualTo(415);
            assertThat(json.body()).contains("PGRST107", "can be read here and not written");
            assertThat(serving.post("/api/people", "").body().lines()).hasSize(4);
        }
    }
}
