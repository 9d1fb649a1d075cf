package dev.penstock.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageTextTest {
    @Test
    void escape_markup_isText() {
        assertThat(PageText.escape("<b a=\"x\" c='y'>&"))
                .isEqualTo("&lt;b a=&quot;x&quot; c=&#39;y&#39;&gt;&amp;");
    }

    @Test
    void escape_marker_isNoMarkerAnyMore() {
        assertThat(PageText.escape("{{base}}")).isEqualTo("&#123;&#123;base}}");
    }
}
