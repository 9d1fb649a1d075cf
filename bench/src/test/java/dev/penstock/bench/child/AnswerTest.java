package dev.penstock.bench.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AnswerTest {
    @Test
    void line_anyValue_isReadBackTheSame() {
        Answer answer =
                new Answer(
                        Map.of("a", "", "b", "x y=z&%\n+", "c", "\u00fc\ud83d\ude00", "d", "1.5"));

        assertThat(answer.line()).doesNotContain("\n");
        assertThat(Answer.parse(answer.line())).isEqualTo(answer);
        assertThat(answer.number("d")).isEqualTo(1.5);
    }

    @Test
    void text_unknownName_saysWhatThereIs() {
        assertThatThrownBy(() -> new Answer(Map.of("a", "1")).text("b"))
                .hasMessage("no value b in [a]");
    }
}
