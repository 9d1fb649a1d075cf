package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HomePageTest {
    @Test
    void escape_markup_isText() {
        assertThat(PageText.escape("<b a=\"x\" c='y'>&"))
                .isEqualTo("&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;");
    }

    @Test
    void escape_marker_isNoMarkerAnyMore() {
        assertThat(PageText.escape("{{base}}")).isEqualTo("&#123;&#123;base}}");
    }

    @Test
    void describe_whatIsMissing_isLeftOut() {
        assertThat(ConnectionPool.describe("PostgreSQL", "shop", "public"))
                .isEqualTo("PostgreSQL, database shop, schema public");
        assertThat(ConnectionPool.describe("MariaDB", "shop", null))
                .isEqualTo("MariaDB, database shop");
        assertThat(ConnectionPool.describe("Other", "", null)).isEqualTo("Other");
    }

    @Test
    void encoded_anyName_isOneSegment() {
        assertThat(Example.encoded("a b/c?d#e%\"f.g-h_i~ü\uD83C\uDF0A"))
                .isEqualTo("a%20b%2Fc%3Fd%23e%25%22f.g-h_i~%C3%BC%F0%9F%8C%8A");
    }

    @Test
    void command_curl_isQuotedForTheShell() {
        assertThat(new Example("", "", "/api/x?a=eq.1&b=eq.2", "-N").command("http://h:1"))
                .isEqualTo("curl -N 'http://h:1/api/x?a=eq.1&b=eq.2'");
    }
}
