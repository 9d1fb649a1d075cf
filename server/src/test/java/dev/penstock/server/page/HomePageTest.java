package dev.penstock.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HomePageTest {
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
