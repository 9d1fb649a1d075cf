package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.regex.Pattern;
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
    void host_ofAnyShape_isTakenIfItIsANameOrAddressWithOrWithoutAPort() {
        Pattern shape = Pattern.compile("(\\[[0-9A-Fa-f:.]{2,45}]|[^\\[\\]:]*)(:[0-9]{0,5})?");
        long seed = Long.getLong("penstock.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder host = new StringBuilder(random.nextInt(3) == 0 ? "[" : "");
            for (int j = random.nextInt(random.nextInt(20) == 0 ? 60 : 9); j > 0; j--) {
                String of = i % 2 == 0 ? "[]:129aG.-%" : ":1290";
                host.append(of.charAt(random.nextInt(of.length())));
            }
            host.append(random.nextInt(3) == 0 ? "]:80" : "");
            assertThat(isHost(host.toString()))
                    .as("%s -Dpenstock.seed=%d", host, seed)
                    .isEqualTo(shape.matcher(host).matches());
        }
    }

    private static boolean isHost(String text) {
        try {
            RequestTarget.checkHost(text);
            return true;
        } catch (HttpException _) {
            return false;
        }
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
}
