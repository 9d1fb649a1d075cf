package dev.penstock.follow.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SavedPositionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "mariadb-bin.000001:4:",
                "a:b.c.1000000:4294967296:0-1-100",
                "mariadb-bin.000001:4:0-1-18446744073709551615,7-4294967295-1"
            })
    void of_textOfPosition_same(String text) {
        assertThat(SavedPosition.of(text).map(SavedPosition::toString)).contains(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0/16B3748",
                "mariadb-bin:4:0-1-1",
                "mariadb-bin.000001:4",
                "mariadb-bin.000001:-4:0-1-1",
                "mariadb-bin.000001:4:0-1",
                "mariadb-bin.000001:4:0-1-1,",
                "mariadb-bin.000001:99999999999999999999:0-1-1"
            })
    void of_anotherText_nothing(String text) {
        assertThat(SavedPosition.of(text)).isEmpty();
    }

    @Test
    void compareTo_filesAndOffsets_inTheLogsOrder() {
        BinlogPosition[] sorted = {
            new BinlogPosition("bin.000002", 4),
            new BinlogPosition("bin.000010", 4),
            new BinlogPosition("bin.000010", 3_000_000_000L),
            new BinlogPosition("bin.999999", 5),
            new BinlogPosition("bin.1000000", 4)
        };
        assertThat(sorted).isSorted();
        assertThat(sorted[2].before()).isLessThan(sorted[2]).isGreaterThan(sorted[1]);
        assertThatThrownBy(() -> new BinlogPosition("bin", 4))
                .hasMessage("\"bin:4\" is no place in a binary log");
    }

    @Test
    void after_transactions_lastOfEachDomain() {
        GtidPosition position = GtidPosition.of("0-1-5, 3-1-7");
        GtidPosition next =
                position.after(new GtidPosition.Gtid(0, 2, 6))
                        .after(new GtidPosition.Gtid(10, 1, -1));
        assertThat(next).hasToString("0-2-6,3-1-7,10-1-18446744073709551615");
        assertThat(GtidPosition.of(next.toString())).isEqualTo(next);
        assertThat(GtidPosition.of("").last()).isEmpty();
    }
}
