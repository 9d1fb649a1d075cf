package dev.penstock.http.servlet;

import dev.penstock.http.http1.Http1Case;
import dev.penstock.http.http1.Http1Outcome;
import java.time.Duration;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The outcomes in a container of each of {@code http1-cases.txt} where a container reads the requests: what the
 * specifications allow, and nothing that is taken for a second request or for all of a body that was malformed or cut
 * off.
 */
@Timeout(300)
final class ContainerHttp1CasesTest {
    @ParameterizedTest
    @EnumSource(
            value = Container.class,
            names = {"JETTY_EE10", "JETTY_EE11", "TOMCAT"})
    void request_ofEachCase_isAnsweredAsTheSpecificationsAllow(Container container)
            throws Exception {
        Running running =
                container.start(
                        Http1Case.routes(
                                Container.builder()
                                        .accessLog(false)
                                        .stopWithin(Duration.ofSeconds(5))),
                        "/*",
                        5_000);
        SoftAssertions all = new SoftAssertions();
        try {
            for (Http1Case one : Http1Case.all()) {
                Http1Outcome outcome =
                        Http1Outcome.of(
                                running.port(), one.bytes(), one.bytes().length + 1, one.partial());
                all.assertThat(outcome)
                        .as("%s", one)
                        .matches(one::isAllowed, "one of " + one.own() + " or " + one.others());
                all.assertThat(outcome.ending())
                        .as("%s", one)
                        .isNotEqualTo(Http1Outcome.Ending.SILENCE);
            }
        } finally {
            running.stopAll();
        }
        all.assertAll();
    }
}
