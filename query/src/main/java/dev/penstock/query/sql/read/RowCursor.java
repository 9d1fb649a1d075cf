package dev.penstock.query.sql.read;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.QueryException;
import dev.penstock.query.Utf8;
import dev.penstock.query.sql.statement.DriverMessage;
import dev.penstock.query.sql.statement.NativeValueCheck;
import dev.penstock.query.sql.statement.ResultLayout;
import dev.penstock.query.sql.statement.ResultTooLargeException;
import dev.penstock.query.sql.statement.SqlQuery;
import java.lang.ref.Reference;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cursor that runs a query and has getters over the canonical text of one row's cells. Where the bytes of a cell are
 * is kept in arrays that are used again for every row.
 */
public abstract class RowCursor implements Cursor {
    static final int NULL = -1;
    static final int UNKNOWN = -2;

    /** The SQLSTATE of a number that overflows. */
    static final String OUT_OF_RANGE = "22003";

    private static final String CHANGED =
            ". If the table was changed after its schema was read, open the database again";

    final Session session;
    final SqlQuery query;

    /** Where each cell's canonical text is; the last are the hidden columns. */
    final byte[][] arrays;

    final int[] offsets;
    final int[] lengths;

    /** Of the {@link ResultLayout}, as are the two below. */
    final ColumnType[] types;

    final boolean[] nullable;
    final boolean[] padded;

    /** A slot a column for the texts that are made here. */
    final byte[] scratch;

    private final int visible;
    private final Utf8 view = new Utf8();
    private final @Nullable WideCells wideCells;

    /** The bytes of wide binary cells whose text nobody has asked for; null for a row without any. */
    private byte @Nullable [] @Nullable [] wideBytes;

    private boolean started;
    private boolean over;
    private boolean closed;
    private boolean onRow;
    private long rows;
    private @Nullable Throwable failure;

    RowCursor(Session session, SqlQuery query, @Nullable WideCells wideCells) {
        this.session = session;
        this.query = query;
        this.wideCells = wideCells;
        ResultLayout layout = query.template().layout();
        visible = layout.visible;
        types = layout.types;
        nullable = layout.nullable;
        padded = layout.padded;
        int width = types.length;
        arrays = new byte[width][];
        offsets = new int[width];
        lengths = new int[width];
        scratch = new byte[width * CanonicalText.SLOT];
        Arrays.fill(arrays, scratch);
    }

    /** Runs the query up to where rows can be read. */
    abstract void start(Connection connection) throws SQLException;

    /** Comes to the next row of the database. */
    abstract boolean advance() throws SQLException;

    /** Makes the arrays hold this cell of the row. */
    void load(int column) {}

    /** Returns whether closing in the middle of the answer would read the rest of it. */
    abstract boolean drainsOnClose();

    @Override
    public final List<Column> columns() {
        return query.columns();
    }

    @Override
    public final boolean next() {
        if (closed) {
            throw new QueryException(QueryException.Kind.CANCELLED, "the cursor is closed");
        }
        if (over) {
            // An end after a failure would be taken for the end of the rows.
            rethrow(failure);
            return false;
        }
        try {
            onRow = step();
        } catch (SQLException | RuntimeException | Error e) {
            throw failed(e);
        }
        if (onRow) {
            rows++;
        } else {
            query.template().length().was(rows <= query.template().rowsAtOnce());
            end(false, null);
        }
        return onRow;
    }

    private boolean step() throws SQLException {
        session.requireNotCancelled();
        if (!started) {
            started = true;
            SqlLog.log(query);
            Connection connection = session.connect();
            if (!query.checked().isEmpty()) {
                check(connection);
            }
            start(connection);
            for (long left = query.skip(); left > 0; left--) {
                session.requireNotCancelled();
                if (!advance()) {
                    return false;
                }
            }
        }
        release();
        if (!advance()) {
            session.requireNotCancelled();
            return false;
        }
        onRow = true;
        if (wideCells != null && !isNull(visible)) {
            wideCells.read(this, getLong(visible), session);
        }
        return true;
    }

    private void check(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            session.onClose(connection::rollback);
        }
        NativeValueCheck.run(connection, query.template().checks(), query.checked());
    }

    private RuntimeException failed(Throwable failure) {
        onRow = false;
        if (failure instanceof ResultTooLargeException longer) {
            this.failure = longer;
            end(false, null);
            throw longer;
        }
        RuntimeException shown = shown(failure);
        // After an Error nobody knows what the driver has read.
        end(failure instanceof Error || (started && drainsOnClose()), shown);
        this.failure = failure instanceof Error ? failure : shown;
        rethrow(this.failure);
        return shown;
    }

    private static void rethrow(@Nullable Throwable failure) {
        switch (failure) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException e -> throw e;
            case Throwable e -> throw new IllegalStateException(e);
        }
    }

    private RuntimeException shown(Throwable failure) {
        if (failure instanceof QueryException known) {
            return known;
        }
        if (session.isCancelled()) {
            return new QueryException(
                    QueryException.Kind.CANCELLED, "the query was cancelled", failure);
        }
        if (failure instanceof SQLException e && OUT_OF_RANGE.equals(e.getSQLState())) {
            return outOfRange(failure);
        }
        return new QueryException(
                QueryException.Kind.DATABASE,
                "reading table %s failed: %s%s"
                        .formatted(
                                query.table().table().name(),
                                DriverMessage.of(failure),
                                isAboutNames(failure) ? CHANGED : ""),
                failure);
    }

    /** SQLSTATE's class of names and rights. */
    private static boolean isAboutNames(Throwable failure) {
        return failure instanceof SQLException e
                && e.getSQLState() != null
                && e.getSQLState().startsWith("42");
    }

    final QueryException outOfRange(Throwable failure) {
        return new QueryException(
                QueryException.Kind.DATABASE,
                ("a number calculated from table %s is beyond what its type holds (a sum of whole numbers"
                                + " has 64 bits); add fewer rows, or decimals: %s")
                        .formatted(query.table().table().name(), DriverMessage.of(failure)),
                failure);
    }

    private void end(boolean running, @Nullable Throwable primary) {
        over = true;
        try {
            release();
            session.close(running, primary);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    @Override
    public final void cancel() {
        session.cancel();
    }

    @Override
    public final void close() {
        closed = true;
        onRow = false;
        if (!over) {
            // After the last row that there can be, nothing is left to cancel.
            boolean inTheMiddle = started && rows < query.rows();
            end(inTheMiddle && drainsOnClose(), null);
        }
    }

    private void release() {
        if (wideCells != null && wideCells.release()) {
            view.set(scratch, 0, 0);
            Arrays.fill(arrays, scratch);
            wideBytes = null;
        }
    }

    /** Returns a value of the row as plans have them, for the hidden columns. */
    final Object value(int column) {
        Object value =
                switch (types[column]) {
                    case BOOLEAN -> getBoolean(column);
                    case INT, LONG -> getLong(column);
                    case DECIMAL -> getDecimal(column);
                    case FLOAT -> getFloat(column);
                    case DOUBLE -> getDouble(column);
                    case DATE -> getDate(column);
                    case TIME -> getTime(column);
                    case TIMESTAMP -> getTimestamp(column);
                    case TIMESTAMP_UTC -> getInstant(column);
                    case BINARY -> getBytes(column);
                    case UUID -> java.util.UUID.fromString(requireNonNull(getString(column)));
                    case TEXT, JSON, OTHER -> getString(column);
                };
        return requireNonNull(value);
    }

    /** Puts the bytes of a cell into the row, which become text where somebody asks for that. */
    final void setBytes(int column, byte[] bytes) {
        byte[] @Nullable [] all =
                wideBytes == null ? new byte[arrays.length] @Nullable [] : wideBytes;
        wideBytes = all;
        all[column] = bytes;
        lengths[column] = 0;
    }

    private void encode(byte[] @Nullable [] all, int column) {
        byte[] bytes = all[column];
        if (bytes != null) {
            all[column] = null;
            byte[] text = Base64.getEncoder().encode(bytes);
            set(column, text, text.length);
        }
    }

    @Override
    public final @Nullable Utf8 wideBytes(int column) {
        byte[] bytes = wideBytes == null ? null : wideBytes[column];
        return bytes == null ? null : view.set(bytes, 0, bytes.length);
    }

    /** Puts a cell's text, which is held elsewhere, into the row. */
    final void set(int column, byte[] text, int length) {
        arrays[column] = text;
        offsets[column] = 0;
        lengths[column] = length;
    }

    /** Takes the text that was made in a cell's slot of the scratch array for the cell's. */
    final void setScratch(int column, int length) {
        arrays[column] = scratch;
        offsets[column] = column * CanonicalText.SLOT;
        lengths[column] = length;
    }

    final boolean isOnRow() {
        return onRow;
    }

    private void at(int column) {
        if (!onRow && column < visible) {
            throw new IllegalStateException("the cursor is not on a row");
        }
        load(column);
    }

    @Override
    public boolean isNull(int column) {
        at(column);
        return lengths[column] == NULL;
    }

    private void atText(int column) {
        at(column);
        if (wideBytes != null) {
            encode(wideBytes, column);
        }
    }

    @Override
    public final @Nullable Utf8 text(int column) {
        atText(column);
        int length = lengths[column];
        return length == NULL ? null : view.set(arrays[column], offsets[column], length);
    }

    @Override
    public @Nullable String getString(int column) {
        atText(column);
        int length = lengths[column];
        return length == NULL
                ? null
                : new String(arrays[column], offsets[column], length, StandardCharsets.UTF_8);
    }

    @Override
    public boolean getBoolean(int column) {
        at(column);
        return switch (types[column]) {
            case BOOLEAN -> lengths[column] != NULL && arrays[column][offsets[column]] == 't';
            default -> throw mismatch(column, "a boolean");
        };
    }

    @Override
    public final int getInt(int column) {
        if (types[column] != ColumnType.INT) {
            throw mismatch(column, "an int");
        }
        return (int) getLong(column);
    }

    @Override
    public long getLong(int column) {
        at(column);
        if (types[column] != ColumnType.INT && types[column] != ColumnType.LONG) {
            throw mismatch(column, "a long");
        }
        byte[] bytes = arrays[column];
        int position = offsets[column];
        int end = position + lengths[column];
        if (lengths[column] == NULL) {
            return 0;
        }
        boolean negative = bytes[position] == '-';
        long number = 0;
        for (position += negative ? 1 : 0; position < end; position++) {
            number = number * 10 + (bytes[position] - '0');
        }
        return negative ? -number : number;
    }

    @Override
    public float getFloat(int column) {
        at(column);
        requireNumber(column);
        return lengths[column] == NULL ? 0 : Float.parseFloat(ascii(column));
    }

    @Override
    public double getDouble(int column) {
        at(column);
        requireNumber(column);
        if (lengths[column] == NULL) {
            return 0;
        }
        if (types[column] == ColumnType.FLOAT) {
            // Its text is the shortest for a float, and as a double's would be another number.
            return Float.parseFloat(ascii(column));
        }
        double usual = CellParser.binary64(arrays[column], offsets[column], lengths[column]);
        return Double.isNaN(usual) ? Double.parseDouble(ascii(column)) : usual;
    }

    private void requireNumber(int column) {
        if (!types[column].isNumeric()) {
            throw mismatch(column, "a number");
        }
    }

    @Override
    public final @Nullable BigDecimal getDecimal(int column) {
        at(column);
        switch (types[column]) {
            case DECIMAL, INT, LONG -> {}
            default -> throw mismatch(column, "a decimal");
        }
        if (lengths[column] == NULL) {
            return null;
        }
        BigDecimal usual = CellParser.decimal(arrays[column], offsets[column], lengths[column]);
        if (usual != null) {
            return usual;
        }
        try {
            return new BigDecimal(ascii(column));
        } catch (NumberFormatException e) {
            throw unreadable(column, "finite decimal", e);
        }
    }

    @Override
    public byte @Nullable [] getBytes(int column) {
        at(column);
        require(column, ColumnType.BINARY);
        if (lengths[column] == NULL) {
            return null;
        }
        byte[] wide = wideBytes == null ? null : wideBytes[column];
        if (wide != null) {
            return wide;
        }
        int start = offsets[column];
        byte[] base64 = Arrays.copyOfRange(arrays[column], start, start + lengths[column]);
        return Base64.getDecoder().decode(base64);
    }

    @Override
    public final @Nullable LocalDate getDate(int column) {
        if (isNull(column, ColumnType.DATE)) {
            return null;
        }
        try {
            LocalDate usual = CellParser.date(arrays[column], offsets[column], lengths[column]);
            return usual != null
                    ? usual
                    : switch (ascii(column)) {
                        case "infinity" -> LocalDate.MAX;
                        case "-infinity" -> LocalDate.MIN;
                        case String text -> LocalDate.parse(text);
                    };
        } catch (DateTimeException e) {
            throw unreadable(column, "date of the calendar", e);
        }
    }

    @Override
    public final @Nullable LocalTime getTime(int column) {
        if (isNull(column, ColumnType.TIME)) {
            return null;
        }
        try {
            LocalTime usual = CellParser.time(arrays[column], offsets[column], lengths[column]);
            return usual != null
                    ? usual
                    : switch (ascii(column)) {
                        case "24:00:00" -> LocalTime.MAX;
                        case String text -> LocalTime.parse(text);
                    };
        } catch (DateTimeException e) {
            throw unreadable(column, "time of day", e);
        }
    }

    @Override
    public final @Nullable LocalDateTime getTimestamp(int column) {
        if (isNull(column, ColumnType.TIMESTAMP)) {
            return null;
        }
        try {
            LocalDateTime usual =
                    CellParser.timestamp(arrays[column], offsets[column], lengths[column]);
            return usual != null
                    ? usual
                    : switch (ascii(column)) {
                        case "infinity" -> LocalDateTime.MAX;
                        case "-infinity" -> LocalDateTime.MIN;
                        case String text -> LocalDateTime.parse(text);
                    };
        } catch (DateTimeException e) {
            throw unreadable(column, "date of the calendar", e);
        }
    }

    @Override
    public final @Nullable Instant getInstant(int column) {
        if (isNull(column, ColumnType.TIMESTAMP_UTC)) {
            return null;
        }
        try {
            LocalDateTime usual =
                    CellParser.timestamp(arrays[column], offsets[column], lengths[column] - 1);
            return usual != null
                    ? usual.toInstant(ZoneOffset.UTC)
                    : switch (ascii(column)) {
                        case "infinity" -> Instant.MAX;
                        case "-infinity" -> Instant.MIN;
                        case String text -> Instant.parse(text);
                    };
        } catch (DateTimeException e) {
            throw unreadable(column, "date of the calendar", e);
        }
    }

    private boolean isNull(int column, ColumnType type) {
        at(column);
        require(column, type);
        return lengths[column] == NULL;
    }

    private String ascii(int column) {
        return new String(
                arrays[column], offsets[column], lengths[column], StandardCharsets.ISO_8859_1);
    }

    private void require(int column, ColumnType type) {
        if (types[column] != type) {
            throw mismatch(column, "a " + type);
        }
    }

    /** Returns what messages call a column. */
    final String name(int column) {
        return column < visible ? query.columns().get(column).name() : "of the key";
    }

    private IllegalStateException mismatch(int column, String wanted) {
        return new IllegalStateException(
                "column %s is %s and was read as %s"
                        .formatted(name(column), types[column], wanted));
    }

    private QueryException unreadable(int column, String what, RuntimeException cause) {
        return new QueryException(
                QueryException.Kind.DATABASE,
                "column %s of table %s holds a value that is no %s; read its text instead"
                        .formatted(name(column), query.table().table().name(), what),
                cause);
    }
}
