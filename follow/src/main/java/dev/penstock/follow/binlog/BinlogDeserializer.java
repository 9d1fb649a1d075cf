package dev.penstock.follow.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.EventType;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.deserialization.ChecksumType;
import com.github.shyiko.mysql.binlog.event.deserialization.EventDeserializer;
import com.github.shyiko.mysql.binlog.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A reader of the log's events, which hands them to a {@link TransactionCollector} as they come. The library's own
 * deserializers are not used: they read all columns of all tables into objects, fail at types of MariaDB's own, and
 * lose days that are none, the fractions of seconds and the sign of unsigned numbers. Only one thread uses it.
 */
final class BinlogDeserializer extends EventDeserializer {
    private static final int HEADER_BYTES = 19;
    private static final int CHECKSUM_BYTES = 4;
    private static final int TABLE_ID_BYTES = 6;
    private static final int ARTIFICIAL = 0x20;
    private static final int IGNORABLE = 0x80;
    private static final long HIGH_BITS = -1L << 32;

    private static final int QUERY = 2;
    private static final int STOP = 3;
    private static final int ROTATE = 4;
    private static final int FORMAT_DESCRIPTION = 15;
    private static final int XID = 16;
    private static final int TABLE_MAP = 19;
    private static final int WRITE_ROWS_V1 = 23;
    private static final int UPDATE_ROWS_V1 = 24;
    private static final int DELETE_ROWS_V1 = 25;
    private static final int HEARTBEAT = 27;
    private static final int WRITE_ROWS = 30;
    private static final int UPDATE_ROWS = 31;
    private static final int DELETE_ROWS = 32;
    private static final int XA_PREPARE = 38;
    private static final int CHECKPOINT = 161;
    private static final int GTID = 162;
    private static final int QUERY_COMPRESSED = 165;
    private static final int FIRST_ROWS_COMPRESSED = 166;
    private static final int LAST_ROWS_COMPRESSED = 171;

    private final TransactionCollector collector;
    private final CollectedChanges pending;
    private final Runnable begun;
    private BinlogPosition at;
    private int checksumBytes;

    /** Whether the last event is one that ends a file. */
    private boolean isComplete;

    /**
     * @param from where the log is read from
     * @param begun runs when the log begins to come
     */
    BinlogDeserializer(
            TransactionCollector collector,
            CollectedChanges pending,
            BinlogPosition from,
            Runnable begun) {
        this.collector = collector;
        this.pending = pending;
        this.begun = begun;
        at = from;
    }

    /** Sets the form of the first events; later ones are described in the log. */
    @Override
    @SuppressWarnings("deprecation") // the client calls it
    public void setChecksumType(ChecksumType type) {
        checksumBytes = type.getLength();
    }

    private record Header(int type, long server, int bodyBytes, long next, int flags) {}

    @Override
    public Event nextEvent(ByteArrayInputStream stream) throws IOException {
        ByteBuffer bytes = buffer(stream.read(HEADER_BYTES));
        bytes.getInt(); // time
        int type = bytes.get() & 0xFF;
        long server = bytes.getInt() & 0xFFFFFFFFL;
        int length = bytes.getInt();
        Header header =
                new Header(
                        type,
                        server,
                        length - HEADER_BYTES,
                        bytes.getInt() & 0xFFFFFFFFL,
                        bytes.getShort() & 0xFFFF);
        if (header.bodyBytes() < 0) {
            throw new IOException(
                    "the binary log has an event of %s bytes after %s"
                            .formatted(Integer.toUnsignedString(length), at));
        }
        return event(header, received(header, stream));
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Returns what the client wants to know: only the names of files. */
    private static Event event(Header header, @Nullable RotateEventData data) {
        EventHeaderV4 known = new EventHeaderV4();
        known.setEventType(data == null ? EventType.UNKNOWN : EventType.ROTATE);
        known.setServerId(header.server());
        known.setEventLength(header.bodyBytes() + (long) HEADER_BYTES);
        known.setNextPosition(header.next());
        known.setFlags(header.flags());
        return new Event(known, data);
    }

    private @Nullable RotateEventData received(Header header, ByteArrayInputStream stream)
            throws IOException {
        BinlogPosition end = end(header);
        RotateEventData rotate = null;
        switch (header.type()) {
            case ROTATE -> {
                rotate = rotated(body(header, stream));
                begun.run();
                requireWhole(header, rotate.getBinlogFilename());
                end = new BinlogPosition(rotate.getBinlogFilename(), rotate.getBinlogPosition());
            }
            case FORMAT_DESCRIPTION -> describe(header, stream);
            case CHECKPOINT -> {
                ByteBuffer body = body(header, stream);
                body.getInt(); // length of the name
                pending.checkpoint(UTF_8.decode(body).toString());
            }
            case GTID -> collector.begin(header.server(), body(header, stream), at);
            case TABLE_MAP -> {
                ByteBuffer body = body(header, stream);
                collector.table(tableId(body), body);
            }
            case QUERY, QUERY_COMPRESSED -> statement(header, stream, end);
            case XID -> {
                body(header, stream);
                collector.commit(end);
            }
            case XA_PREPARE -> collector.prepare(body(header, stream), end);
            case HEARTBEAT -> {
                stream.skipNBytes(header.bodyBytes());
                pending.alive();
                return null;
            }
            default -> other(header, stream, end);
        }
        if (!isArtificial(header)) {
            isComplete = header.type() == ROTATE || header.type() == STOP;
        }
        at = end;
        pending.received(end);
        return rotate;
    }

    private static boolean isArtificial(Header header) {
        return (header.flags() & ARTIFICIAL) != 0 || header.next() == 0;
    }

    /** A file that does not end by a rotation or the end of the server may lack what was committed before a crash. */
    private void requireWhole(Header header, String next) {
        if (isArtificial(header) && !next.equals(at.file()) && !isComplete) {
            collector.incomplete(at);
        }
    }

    /** Returns the place after an event, of which the header has the lower half. */
    private BinlogPosition end(Header header) {
        if (isArtificial(header) || header.type() == HEARTBEAT) {
            return at;
        }
        long offset = (at.offset() & HIGH_BITS) | header.next();
        return new BinlogPosition(at.file(), offset < at.offset() ? offset + (1L << 32) : offset);
    }

    private ByteBuffer body(Header header, ByteArrayInputStream stream) throws IOException {
        ByteBuffer body = buffer(stream.read(header.bodyBytes()));
        body.limit(Math.max(0, header.bodyBytes() - checksumBytes));
        return body;
    }

    private static RotateEventData rotated(ByteBuffer body) {
        RotateEventData rotate = new RotateEventData();
        rotate.setBinlogPosition(body.getLong());
        rotate.setBinlogFilename(UTF_8.decode(body).toString());
        return rotate;
    }

    /** Reads whether events have checksums: the last byte before the checksum that this one has in any case. */
    private void describe(Header header, ByteArrayInputStream stream) throws IOException {
        byte[] body = stream.read(header.bodyBytes());
        checksumBytes = body[body.length - CHECKSUM_BYTES - 1] == 1 ? CHECKSUM_BYTES : 0;
    }

    private static long tableId(ByteBuffer body) {
        return (body.getInt() & 0xFFFFFFFFL) | (body.getShort() & 0xFFFFL) << 32;
    }

    private void statement(Header header, ByteArrayInputStream stream, BinlogPosition end)
            throws IOException {
        ByteBuffer body = null;
        if (header.type() == QUERY && header.bodyBytes() <= StatementEffect.MOST_BYTES) {
            body = body(header, stream);
        } else {
            stream.skipNBytes(header.bodyBytes());
        }
        try {
            collector.statement(body, end);
        } catch (SQLException e) {
            throw new IOException("the definitions of tables can't be read", e);
        }
    }

    private void other(Header header, ByteArrayInputStream stream, BinlogPosition end)
            throws IOException {
        MappedTable.Kind kind =
                switch (header.type()) {
                    case WRITE_ROWS, WRITE_ROWS_V1 -> MappedTable.Kind.INSERT;
                    case UPDATE_ROWS, UPDATE_ROWS_V1 -> MappedTable.Kind.UPDATE;
                    case DELETE_ROWS, DELETE_ROWS_V1 -> MappedTable.Kind.DELETE;
                    default -> null;
                };
        boolean compressed =
                header.type() >= FIRST_ROWS_COMPRESSED && header.type() <= LAST_ROWS_COMPRESSED;
        if (kind != null || compressed) {
            rows(header, kind, stream);
            return;
        }
        stream.skipNBytes(header.bodyBytes());
        if (!isHarmless(header)) {
            collector.unknown("an event of type " + header.type(), end);
        }
    }

    /** Returns whether an event changes no row by itself. */
    private static boolean isHarmless(Header header) {
        return switch (header.type()) {
            // End of the server, variables and random numbers of statements, what may be ignored,
            // rows as a statement,
            // lists of GTIDs, beginning of encryption.
            case STOP, 5, 13, 14, 28, 29, 160, 163, 164 -> true;
            default -> (header.flags() & IGNORABLE) != 0;
        };
    }

    private void rows(Header header, MappedTable.@Nullable Kind kind, ByteArrayInputStream stream)
            throws IOException {
        long id = tableId(buffer(stream.read(TABLE_ID_BYTES)));
        int left = header.bodyBytes() - TABLE_ID_BYTES;
        if (!collector.isWatched(id) || kind == null) {
            stream.skipNBytes(left);
            collector.unreadableRows(id);
            return;
        }
        ByteBuffer body = buffer(stream.read(left));
        body.limit(left - checksumBytes);
        body.getShort(); // flags
        if (header.type() >= WRITE_ROWS) {
            int more = body.getShort() & 0xFFFF;
            body.position(body.position() + more - 2);
        }
        collector.rows(id, kind, body);
    }
}
