package dev.penstock.transfer.client.rows;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The rows of a JSON array of objects.
 *
 * <p>What stands between two of them is written as it came; before the first row of a response that goes on, as it
 * stood between the rows before.
 */
final class JsonArrayRows extends RowAssembler {
    private static final byte[] COMMA = ",\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MAX_GAP_BYTES = 1024;

    private final byte[] scratch = new byte[16 * 1024];
    private final Bytes gap = new Bytes();
    private final Bytes separator = new Bytes();
    private State state = State.BEFORE;
    private boolean hasRow;
    private int depth;
    private boolean isText;
    private boolean isEscaped;

    private enum State {
        BEFORE,
        BETWEEN,
        ROW,
        AFTER
    }

    JsonArrayRows(Output output) {
        super(output);
        separator.add(COMMA, 0, COMMA.length);
    }

    @Override
    public void begin() {
        super.begin();
        state = State.BEFORE;
        gap.clear();
        hasRow = false;
        depth = 0;
        isText = false;
        isEscaped = false;
    }

    @Override
    public void take(ByteBuffer bytes) throws IOException, InterruptedException {
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), scratch.length);
            bytes.get(scratch, 0, length);
            for (int i = 0; i < length; ) {
                i = state == State.ROW ? inRow(i, length) : outside(i);
            }
        }
    }

    /** Takes bytes of a row up to its end, and gives the position behind them. */
    private int inRow(int from, int length) throws IOException, InterruptedException {
        for (int i = from; i < length; i++) {
            if (isText) {
                inText(scratch[i]);
                continue;
            }
            switch (scratch[i]) {
                case '"' -> isText = true;
                case '{', '[' -> depth++;
                case '}', ']' -> depth--;
                default -> {
                    // It opens and closes nothing.
                }
            }
            if (depth == 0) {
                addToRow(scratch, from, i + 1 - from);
                endRow();
                return i + 1;
            }
        }
        addToRow(scratch, from, length - from);
        return length;
    }

    private void inText(byte b) {
        if (isEscaped) {
            isEscaped = false;
        } else if (b == '\\') {
            isEscaped = true;
        } else if (b == '"') {
            isText = false;
        }
    }

    private void endRow() throws IOException, InterruptedException {
        if (rows() > 0 && !hasRow) {
            write(separator);
        } else {
            write(gap);
            if (hasRow) {
                separator.clear();
                separator.add(gap.copy(), 0, gap.length());
            }
        }
        writeRow();
        gap.clear();
        hasRow = true;
        state = State.BETWEEN;
    }

    private int outside(int at) {
        byte b = scratch[at];
        if (state != State.AFTER && b == '{' && state == State.BETWEEN) {
            state = State.ROW;
            depth = 0;
            return at;
        }
        boolean isExpected =
                switch (state) {
                    case BEFORE -> b == '[' || isBlank(b);
                    case BETWEEN -> b == ',' || b == ']' || isBlank(b);
                    case AFTER, ROW -> isBlank(b);
                };
        if (!isExpected || gap.length() >= MAX_GAP_BYTES) {
            throw new TransferException(
                    Kind.INVALID,
                    "The export is no JSON array of rows, as its media type says; get it as CSV or NDJSON");
        }
        gap.add(scratch, at, 1);
        if (b == '[') {
            state = State.BETWEEN;
        } else if (b == ']') {
            state = State.AFTER;
        }
        return at + 1;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    @Override
    public void finish() throws IOException, InterruptedException {
        if (state != State.AFTER) {
            throw new IOException("The array of rows is not closed");
        }
        if (rows() > 0 && !hasRow) {
            byte[] whole = gap.copy();
            int bracket = new String(whole, StandardCharsets.US_ASCII).indexOf(']');
            gap.clear();
            gap.add(whole, bracket, whole.length - bracket);
        }
        write(gap);
        flush();
    }

    @Override
    public List<Optional<String>> values(List<String> columns) {
        return JsonMembers.values(last().copy(), columns);
    }
}
