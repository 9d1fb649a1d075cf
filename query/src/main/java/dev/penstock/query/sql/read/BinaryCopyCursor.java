package dev.penstock.query.sql.read;

import dev.penstock.query.sql.statement.SqlQuery;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A cursor over {@code COPY ... (FORMAT binary)}, for answers with binary columns: in text, each of their bytes would
 * come as two digits behind an escape. All other columns are cast to text by the SQL, so that they come as they do in
 * text.
 */
final class BinaryCopyCursor extends CopyCursor {
    /** The signature, the flags, and the length of what follows these. */
    private static final int HEADER = 11 + 4 + 4;

    private static final short TRAILER = -1;

    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INTEGER =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private boolean begun;

    BinaryCopyCursor(Session session, SqlQuery query, @Nullable WideCells wideCells) {
        super(session, query, wideCells);
    }

    @Override
    String options() {
        return " (FORMAT binary)";
    }

    @Override
    boolean split(byte[] message) throws SQLException {
        int position = 0;
        if (!begun) {
            begun = true;
            position = HEADER + (int) INTEGER.get(message, HEADER - 4);
            if (position == message.length) {
                return false;
            }
        }
        short count = (short) SHORT.get(message, position);
        if (count == TRAILER) {
            return false;
        }
        if (count != lengths.length) {
            throw otherColumns();
        }
        position += 2;
        for (int column = 0; column < count; column++) {
            int length = (int) INTEGER.get(message, position);
            position += 4;
            arrays[column] = message;
            offsets[column] = position;
            lengths[column] = length;
            position += Math.max(length, 0);
        }
        if (position != message.length) {
            throw otherColumns();
        }
        return true;
    }
}
