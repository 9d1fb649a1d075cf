package dev.penstock.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FirstSentenceTest {
    @Test
    void one_textOfOthers_isItsFirstSentenceWithoutStop() {
        assertThat(FirstSentence.one("Communications link failure\n\nThe last packet …"))
                .isEqualTo("Communications link failure");
        assertThat(FirstSentence.one("Connection to 127.0.0.1:1 refused. Check that …"))
                .isEqualTo("Connection to 127.0.0.1:1 refused");
        assertThat(FirstSentence.one(" Version 1.2.3 is too old. "))
                .isEqualTo("Version 1.2.3 is too old");
        assertThat(FirstSentence.one(null)).isEmpty();
        assertThat(FirstSentence.one("x".repeat(10_000))).hasSize(601);
    }
}
