package dev.penstock.follow.binlog;

import com.github.shyiko.mysql.binlog.event.deserialization.AbstractRowsEventDataDeserializer;
import java.math.BigDecimal;

/** Decimals, as the log has them. */
final class DecimalBytes {
    private DecimalBytes() {}

    /**
     * Returns a decimal.
     *
     * @param meta its digits, and in the lower eight bits those of the fraction
     */
    static BigDecimal value(int meta, byte[] cell) {
        int scale = meta & 0xFF;
        // It changes what it is given.
        return AbstractRowsEventDataDeserializer.asBigDecimal(meta >> 8, scale, cell.clone())
                .setScale(scale);
    }
}
