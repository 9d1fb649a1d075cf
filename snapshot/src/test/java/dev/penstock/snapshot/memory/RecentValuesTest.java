package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of the objects that are shared by rows with the same code. */
class RecentValuesTest {
    @Test
    void get_ofACode_isTheObjectThatWasPutForItOrNone() {
        RecentValues recent = new RecentValues();
        assertThat(recent.get(0)).isNull();
        Map<Long, Object> put = new HashMap<>();
        Random random = new Random(1);
        int found = 0;
        for (int i = 0; i < 10_000; i++) {
            long code = (random.nextInt(100) - 50L) << (random.nextInt(4) * 16);
            Object known = recent.get(code);
            if (known != null) {
                assertThat(known).isSameAs(put.get(code));
                found++;
            }
            Object value = new Object();
            recent.put(code, value);
            put.put(code, value);
            assertThat(recent.get(code)).isSameAs(value);
        }
        assertThat(found).isPositive();
    }
}
