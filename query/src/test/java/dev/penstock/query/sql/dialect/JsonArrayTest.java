package dev.penstock.query.sql.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON arrays that become SQL's. */
class JsonArrayTest {
    @Test
    void array_ofScalarsAndArrays_isRead() {
        assertThat(JsonArray.parse(" [1, -2.5e3 ,true,null,\"a\\u00e9\\n\\\"\", [ ] ,[[false]]] "))
                .isEqualTo(
                        new Object[] {
                            "1",
                            "-2.5e3",
                            true,
                            null,
                            "aé\n\"",
                            new Object[0],
                            new Object[] {new Object[] {false}}
                        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "{}",
                "[",
                "[1",
                "[1,]",
                "[,1]",
                "[1]]",
                "[1] x",
                "[\"a]",
                "[a]",
                "[\"\\x\"]",
                "[\"\\u00\"]",
                "[\"\\u00zz\"]",
                "[{}]",
                "[1.]",
                "[\"a\nb\"]",
                "[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]"
            })
    void text_thatIsNone_isRefused(String text) {
        assertThat(JsonArray.parse(text)).isNull();
    }
}
