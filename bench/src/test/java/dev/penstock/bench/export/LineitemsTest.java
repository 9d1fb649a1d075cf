package dev.penstock.bench.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineitemsTest {
    @Test
    void rows_sameSeed_areTheSameAndHaveEveryColumn() {
        assertThat(Lineitems.rows(500)).isEqualTo(Lineitems.rows(500)).hasSize(500);
        assertThat(Lineitems.rows(500))
                .allSatisfy(row -> assertThat(row).hasSize(Lineitems.COLUMN_COUNT));
        // The key's two columns.
        assertThat(Lineitems.rows(500).stream().map(row -> row.get(0) + "/" + row.get(3)))
                .doesNotHaveDuplicates();
    }
}
