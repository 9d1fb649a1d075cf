package dev.penstock.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The server's outcomes for each of {@code http1-cases.txt}, in one piece and in many. */
@Timeout(120)
@Tag("any-loops")
final class Http1CasesIT extends ServerFixture {
    private Server serve() {
        return start(Http1Case::routes);
    }

    @TestFactory
    Stream<DynamicTest> request_ofEachCase_isAnsweredAsTheSpecificationSays() {
        return Http1Case.all().stream()
                .map(one -> DynamicTest.dynamicTest(one.toString(), () -> check(one)));
    }

    private void check(Http1Case one) throws Exception {
        Server server = serve();
        boolean small = one.bytes().length < 1000;
        for (int piece : small ? new int[] {one.bytes().length, 1, 7} : new int[] {1 << 20, 4093}) {
            Http1Outcome outcome =
                    Http1Outcome.of(server.port(), one.bytes(), Math.max(1, piece), one.partial());
            assertThat(outcome)
                    .as("%s in pieces of %d bytes", one, piece)
                    .matches(one::isOwn, "one of " + one.own())
                    .returns(Http1Outcome.Ending.END, Http1Outcome::ending);
            outcome.answers().forEach(Http1CasesIT::checkAnswer);
            if (one.isHttp10()) {
                assertThat(outcome.interim()).as("what HTTP/1.0 does not know").isEmpty();
            }
        }
        nothingIsLeftBehind();
    }

    /** What holds for every response. */
    private static void checkAnswer(Http1Outcome.Answer answer) {
        assertThat(answer.header("Date").orElse(""))
                .as("RFC 9110, sections 6.6.1 and 5.6.7")
                .satisfies(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME))
                .matches(
                        "[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}(:[0-9]{2}){2} GMT");
        if (answer.status() == 204) {
            assertThat(answer.header("Content-Length")).as("RFC 9110, section 8.6").isEmpty();
        } else {
            assertThat(answer.header("Content-Length")).isPresent();
            assertThat(answer.header("Content-Type")).as("RFC 9110, section 8.3").isPresent();
        }
        if (answer.status() == 405) {
            assertThat(answer.header("Allow")).as("RFC 9110, section 15.5.6").isPresent();
        }
    }

    @Test
    void cases_haveNamesOfTheirOwn() {
        List<String> names = Http1Case.all().stream().map(Http1Case::name).toList();
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(220);
    }
}
