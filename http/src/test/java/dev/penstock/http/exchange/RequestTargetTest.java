package dev.penstock.http.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.message.Syntax;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RequestTargetTest {
    @Test
    void path_withEscapes_isSplitBeforeItIsDecodedOnce() {
        RequestTarget target = RequestTarget.parse("/api/a%2Fb%20c+d/%252F/../%C3%A9");
        assertThat(target.segments()).containsExactly("api", "a/b c+d", "%2F", "..", "é");
        assertThat(target.path()).isEqualTo("/api/a/b c+d/%2F/../é");
        assertThat(RequestTarget.parse("/a//b/").segments()).containsExactly("a", "", "b", "");
        assertThat(RequestTarget.parse("/").segments()).containsExactly("");
    }

    @Test
    void target_inAbsoluteForm_isItsPath() {
        assertThat(RequestTarget.parse("HTTP://x:80/a?b").segments()).containsExactly("a");
        assertThat(RequestTarget.parse("https://x?b=1").query()).isEqualTo("b=1");
        assertThat(RequestTarget.parse("http://x").path()).isEqualTo("/");
        assertThatThrownBy(() -> RequestTarget.parse("http://us er@x/"))
                .isInstanceOf(HttpException.class);
    }

    @Test
    void parameters_haveTheirPositionsInTheQuery() {
        RequestTarget target = RequestTarget.parse("/a?id=gt.5&&name=a+b%26%2B&flag&=x&e=&id=1=2");
        assertThat(target.parameters())
                .containsExactly(
                        new Exchange.Parameter("id", "gt.5", 3),
                        new Exchange.Parameter("name", "a b&+", 14),
                        new Exchange.Parameter("flag", "", 28),
                        new Exchange.Parameter("", "x", 30),
                        new Exchange.Parameter("e", "", 34),
                        new Exchange.Parameter("id", "1=2", 38));
        assertThat(target.query().substring(3)).startsWith("gt.5&");
        assertThat(target.query().substring(14)).startsWith("a+b%26");
    }

    @Test
    void escape_malformed_isToldWithItsPosition() {
        assertThatThrownBy(() -> RequestTarget.parse("/a?b=1&c=%4"))
                .isInstanceOf(HttpException.class)
                .hasMessage(
                        "The query has a '%' at 6 without two hexadecimal digits; write a percent"
                                + " sign as %25");
    }

    @Test
    void list_ofAHeader_isReadWithItsQuotesAndEmptyElements() {
        assertThat(Syntax.elements(List.of("a, b\t,,c", " ,", "", "d;e=\"f,\\\",g\" ,h")))
                .containsExactly("a", "b", "c", "d;e=\"f,\\\",g\"", "h");
        assertThat(Syntax.elements(List.of("a\u00a0", "\u000bb")))
                .containsExactly("a\u00a0", "\u000bb");
        assertThat(Syntax.hasElement(List.of("x, Close"), "close")).isTrue();
        assertThat(Syntax.hasElement(List.of("\"a, close\"", "closed"), "close")).isFalse();
    }
}
