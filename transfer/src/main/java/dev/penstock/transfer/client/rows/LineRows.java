package dev.penstock.transfer.client.rows;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows that end with a line: CSV (RFC 4180), in which a quoted cell may have lines of its own, and NDJSON. */
final class LineRows extends RowAssembler {
    private final boolean isCsv;
    private final byte[] scratch = new byte[16 * 1024];
    private byte @Nullable [] names;
    private boolean isQuoted;
    private boolean isAtNames;

    LineRows(Output output, boolean isCsv) {
        super(output);
        this.isCsv = isCsv;
    }

    @Override
    public void resume(byte[] head, byte[] lastRow, long lastStart, long rows) {
        super.resume(head, lastRow, lastStart, rows);
        names = isCsv ? Arrays.copyOf(head, CsvLine.end(head)) : null;
    }

    @Override
    public void begin() {
        super.begin();
        isQuoted = false;
        isAtNames = isCsv;
    }

    @Override
    public void take(ByteBuffer bytes) throws IOException, InterruptedException {
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), scratch.length);
            bytes.get(scratch, 0, length);
            take(length);
        }
    }

    private void take(int length) throws IOException, InterruptedException {
        int start = 0;
        for (int i = 0; i < length; i++) {
            byte b = scratch[i];
            if (b == '"') {
                isQuoted ^= isCsv;
            } else if (b == '\n' && !isQuoted) {
                addToRow(scratch, start, i + 1 - start);
                start = i + 1;
                endLine();
            }
        }
        addToRow(scratch, start, length - start);
    }

    private void endLine() throws IOException, InterruptedException {
        if (!isAtNames) {
            writeRow();
            return;
        }
        isAtNames = false;
        if (names == null) {
            names = row.copy();
            write(row);
        } else if (!Arrays.equals(names, row.copy())) {
            throw new TransferException(
                    Kind.CHANGED,
                    "The export goes on with other columns than it began with; get it from its beginning");
        }
        row.clear();
    }

    @Override
    public void finish() throws IOException, InterruptedException {
        if (isQuoted) {
            throw new IOException("The rows end within a quoted cell");
        }
        if (row.length() > 0) {
            endLine();
        }
        flush();
    }

    @Override
    public List<Optional<String>> values(List<String> columns) {
        if (!isCsv) {
            return JsonMembers.values(last().copy(), columns);
        }
        List<Optional<String>> known = CsvLine.cells(names == null ? new byte[0] : names);
        List<Optional<String>> cells = CsvLine.cells(last().copy());
        List<Optional<String>> values = new ArrayList<>();
        for (String column : columns) {
            int index = known.indexOf(Optional.of(column));
            if (index < 0 || index >= cells.size()) {
                throw Continuation.missing(column);
            }
            values.add(cells.get(index));
        }
        return values;
    }
}
