package dev.penstock.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests of how events are written. */
final class EventTest {
    private static String text(Event event) {
        return new String(event.encode(), UTF_8);
    }

    @Test
    void event_withEverything_hasALineForEach() {
        Event event = new Event("7", "news", "a ü", Duration.ofMillis(1500));
        assertThat(text(event)).isEqualTo("event: news\nretry: 1500\ndata: a ü\nid: 7\n\n");
    }

    @Test
    void data_withLineBreaksOfAllKinds_areLinesOfIt() {
        assertThat(text(Event.of("a\nb\r\nc\rd\n")))
                .isEqualTo("data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
        assertThat(text(Event.of(""))).isEqualTo("data: \n\n");
        assertThat(text(Event.of("id: 5\n\nevent: x")))
                .isEqualTo("data: id: 5\ndata: \ndata: event: x\n\n");
    }

    @Test
    void idOrName_thatWouldEndItsLine_isRefused() {
        assertThatThrownBy(() -> Event.of("x").withId("a\nb"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("An event's id has character U+000A at 1, which would end it");
        assertThatThrownBy(() -> Event.of("x").withId("\0")).hasMessageContaining("U+0000 at 0");
        assertThatThrownBy(() -> Event.of("x").withName("\r")).hasMessageContaining("name");
        assertThatThrownBy(() -> new Event(null, null, "", Duration.ofMillis(-1)))
                .hasMessageContaining("negative");
    }
}
