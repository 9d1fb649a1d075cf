package dev.penstock.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.AttributeKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how {@code traceparent} is read. */
final class TraceContextTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";

    @Test
    void traceparent_wellFormed_isTheParentOfANewSpan() {
        TraceContext context =
                TraceContext.ofHeader("00-" + TRACE + "-" + PARENT + "-01").orElseThrow();
        assertThat(context.traceId()).isEqualTo(TRACE);
        assertThat(context.parentId()).isEqualTo(PARENT);
        assertThat(context.spanId()).matches("[0-9a-f]{16}").isNotEqualTo(PARENT);
        assertThat(context.sampled()).isTrue();
        assertThat(context.header()).isEqualTo("00-" + TRACE + "-" + context.spanId() + "-01");
    }

    @ParameterizedTest
    @ValueSource(strings = {"00-%s-%s-00", "cc-%s-%s-02", "01-%s-%s-00-what-comes-later"})
    void traceparent_ofLaterVersionsAndNotSampled_isTaken(String form) {
        TraceContext context = TraceContext.ofHeader(form.formatted(TRACE, PARENT)).orElseThrow();
        assertThat(context.traceId()).isEqualTo(TRACE);
        assertThat(context.sampled()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-%s-%s",
                "00-%s-%s-1",
                "00-%s-%s-011",
                "00-%s-%s-01-more",
                "01-%s-%s-01more",
                "ff-%s-%s-01",
                "0g-%s-%s-01",
                "00_%s-%s-01",
                "00-%s-%s_01",
                "00-%s-%s-0x",
                " 00-%s-%s-01"
            })
    void traceparent_malformed_countsAsNone(String form) {
        assertThat(TraceContext.ofHeader(form.formatted(TRACE, PARENT))).as(form).isEmpty();
    }

    @Test
    void traceparent_ofZerosOrUpperCase_countsAsNone() {
        assertThat(TraceContext.ofHeader("00-" + "0".repeat(32) + "-" + PARENT + "-01")).isEmpty();
        assertThat(TraceContext.ofHeader("00-" + TRACE + "-" + "0".repeat(16) + "-01")).isEmpty();
        assertThat(
                        TraceContext.ofHeader(
                                "00-"
                                        + TRACE.toUpperCase(java.util.Locale.ROOT)
                                        + "-"
                                        + PARENT
                                        + "-01"))
                .isEmpty();
    }

    @Test
    void attribute_loggedUnderATakenOrMalformedName_isRefused() {
        for (String name : new String[] {"status", "", "1st", "a b", "x".repeat(65)}) {
            assertThatThrownBy(() -> AttributeKey.<String>logged(name, text -> text))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(AttributeKey.<String>logged("user.name_2", text -> text))
                .hasToString("user.name_2");
    }
}
