package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SentencesTest {
    @Test
    void one_textOfOthers_isItsFirstSentenceWithoutStop() {
        assertThat(Sentences.one("Communications link failure\n\nThe last packet …"))
                .isEqualTo("Communications link failure");
        assertThat(Sentences.one("Connection to 127.0.0.1:1 refused. Check that …"))
                .isEqualTo("Connection to 127.0.0.1:1 refused");
        assertThat(Sentences.one(" Version 1.2.3 is too old. "))
                .isEqualTo("Version 1.2.3 is too old");
        assertThat(Sentences.one(null)).isEmpty();
        assertThat(Sentences.one("x".repeat(10_000))).hasSize(601);
    }
}
