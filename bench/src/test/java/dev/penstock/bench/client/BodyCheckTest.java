package dev.penstock.bench.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyCheckTest {
    private static final Load.Expected PAGE = new Load.Expected(0, 100, "</html>", "<tr", 2);

    private static BodyCheck check(Load.Expected expected, String body, int step) {
        BodyCheck check = new BodyCheck(expected);
        byte[] bytes = body.getBytes(ISO_8859_1);
        for (int at = 0; at < bytes.length; at += step) {
            check.accept(ByteBuffer.wrap(bytes, at, Math.min(step, bytes.length - at)));
        }
        return check;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void accept_pageCutAnywhere_isComplete(int step) {
        BodyCheck check = check(PAGE, "<<tr><tr></html>", step);

        assertThat(check.failure()).isEmpty();
        assertThat(check.bytes()).isEqualTo(16);
        assertThat(check.sawRow()).isTrue();
    }

    @Test
    void failure_fewerRows_isWrong() {
        assertThat(check(PAGE, "<tr></html>", 1000).failure()).isEqualTo("wrong number of rows");
    }

    @Test
    void failure_cleanEndInTheMiddle_isWrong() {
        assertThat(check(PAGE, "<tr><tr>", 1000).failure()).isEqualTo("wrong end");
    }

    @Test
    void failure_wrongLength_isWrong() {
        Load.Expected exact = new Load.Expected(3, 4, "", "", 0);

        assertThat(check(exact, "ab", 1000).failure()).isEqualTo("too short");
        assertThat(check(exact, "abcde", 1000).failure()).isEqualTo("too long");
        assertThat(check(exact, "abcd", 1000).failure()).isEmpty();
    }

    @Test
    void reset_afterABody_forgetsIt() {
        BodyCheck check = check(PAGE, "<tr><tr><t", 1000);

        check.reset(PAGE);
        check.accept(ByteBuffer.wrap("r<tr><tr></html>".getBytes(ISO_8859_1)));

        assertThat(check.failure()).isEmpty();
        assertThat(check.bytes()).isEqualTo(16);
    }
}
