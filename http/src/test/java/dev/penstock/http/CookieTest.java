package dev.penstock.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CookieTest {
    @Test
    void cookie_asItIs_hasSafeDefaults() {
        Cookie cookie = Cookie.of("session", "abc");
        assertThat(cookie.header(false)).isEqualTo("session=abc; Path=/; HttpOnly; SameSite=Lax");
        assertThat(cookie.header(true))
                .isEqualTo("session=abc; Path=/; Secure; HttpOnly; SameSite=Lax");
    }

    @Test
    void cookie_withAll_saysThem() {
        Cookie cookie =
                Cookie.of("a", "")
                        .path("/shop")
                        .domain("shop.example")
                        .maxAge(Duration.ofDays(1))
                        .sameSite(Cookie.SameSite.STRICT)
                        .readableByScripts();
        assertThat(cookie.secure(true).header(false))
                .isEqualTo(
                        "a=; Path=/shop; Domain=shop.example; Max-Age=86400; Secure; SameSite=Strict");
        assertThat(cookie.secure(false).header(true)).doesNotContain("Secure");
        assertThat(Cookie.expired("a").header(false)).contains("; Max-Age=0;");
    }

    @Test
    void cookie_forOtherSitesOrWithAPrefix_isAlwaysSecure() {
        assertThat(Cookie.of("a", "1").sameSite(Cookie.SameSite.NONE).header(false))
                .contains("; Secure;");
        assertThat(Cookie.of("__Host-a", "1").secure(false).header(false)).contains("; Secure;");
        assertThat(Cookie.of("__SECURE-a", "1").path("/x").header(false)).contains("; Secure;");
        assertThatThrownBy(() -> Cookie.of("__Host-a", "1").path("/x").header(true))
                .hasMessage(
                        "Cookie __Host-a may have no domain, and no path but /, as its prefix says");
        assertThatThrownBy(() -> Cookie.of("__host-a", "1").domain("a.example").header(true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a=b", "a;b", "a\r\nX: y", "a\n", "a\0", "ä", "a,b", "\""})
    void name_thatIsNoToken_isRefused(String name) {
        assertThatThrownBy(() -> Cookie.of(name, "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a token of HTTP");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a;b",
                "a\r\nSet-Cookie: x=y",
                "a\n",
                "a\r",
                "a\0",
                "ä",
                "a,b",
                "\"",
                "a\\",
                "\u007f"
            })
    void value_thatSplitsHeadersOrCookies_isRefused(String value) {
        assertThatThrownBy(() -> Cookie.of("name", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The value of cookie name has character U+00");
    }

    @Test
    void attributes_thatSplitHeadersOrCookies_areRefused() {
        Cookie cookie = Cookie.of("name", "1");
        for (String path :
                List.of("", "x", "/\r\nX: y", "/;Domain=x", "/ü", "/" + "a".repeat(1024))) {
            assertThatThrownBy(() -> cookie.path(path))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("path of cookie name");
        }
        for (String domain : List.of("", "a b", "a\r\nX: y", "a;Path=/", "a,b", "ü", "a/b")) {
            assertThatThrownBy(() -> cookie.domain(domain))
                    .as(domain)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("domain of cookie name");
        }
        assertThatThrownBy(() -> cookie.maxAge(Duration.ofSeconds(-1)))
                .hasMessageContaining("must not be negative");
    }

    @Test
    void cookie_thatBrowsersWouldNotTake_isRefused() {
        assertThat(Cookie.of("name", "a".repeat(4092)).value()).hasSize(4092);
        assertThatThrownBy(() -> Cookie.of("name", "a".repeat(4093)))
                .hasMessage("Cookie name has 4097 characters; browsers take up to 4096");
    }

    @Test
    void find_inWhatClientsSend_givesTheFirstOfThatName() {
        List<String> sent = List.of("xa=0; a=1;b=\"2\" ; a=3; c=d=e;", "; f=; g");
        assertThat(Cookie.find(sent, "a")).contains("1");
        assertThat(Cookie.find(sent, "b")).contains("2");
        assertThat(Cookie.find(sent, "c")).contains("d=e");
        assertThat(Cookie.find(sent, "f")).contains("");
        for (String absent : List.of("g", "A", "d", "", "x")) {
            assertThat(Cookie.find(sent, absent)).as(absent).isEqualTo(Optional.empty());
        }
        assertThat(Cookie.find(List.of(), "a")).isEmpty();
    }
}
