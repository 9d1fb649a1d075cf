package dev.penstock.follow;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decoder of the messages of PostgreSQL's output plugin {@code pgoutput}, in its protocol version 1: each is one
 * message of the replication stream.
 */
final class PgOutput {
    private PgOutput() {}

    /** A message. */
    sealed interface Message {}

    /**
     * The beginning of a committed transaction; its changes follow, and no other transaction's before its end.
     *
     * @param xid the 32 bits that are in the log
     */
    record Begin(int xid) implements Message {}

    /**
     * The end of it.
     *
     * @param end the place in the log behind its commit
     */
    record Commit(long end) implements Message {}

    /**
     * A table, before its first change and whenever it may have changed itself.
     *
     * @param identity what tells of the rows before a change: d for the primary key, i for an index, f for the whole
     *     row, n for nothing
     */
    record Relation(int oid, String schema, String name, char identity, List<Attribute> columns)
            implements Message {
        Relation {
            columns = List.copyOf(columns);
        }
    }

    /**
     * A column of a table.
     *
     * @param isIdentity whether it is among the columns that tell of the rows before a change
     * @param type the number of its type
     */
    record Attribute(String name, boolean isIdentity, int type) {}

    /**
     * A change of a row.
     *
     * @param before the row before it, or the columns that tell of it; null where there was none or these are the same
     * @param after the row after it; null where there is none
     */
    record Change(int relation, @Nullable Tuple before, @Nullable Tuple after) implements Message {}

    /** Tables that were emptied. */
    record Truncate(List<Integer> relations) implements Message {
        Truncate {
            relations = List.copyOf(relations);
        }
    }

    /** Anything else, of which no row has changed. */
    record Other() implements Message {}

    /**
     * The texts of a row's cells; null for NULL and for what was not sent. Texts are made when they are asked for,
     * which is those of keys.
     *
     * @param bytes the message
     * @param starts where each cell begins in it
     * @param lengths how many bytes each has; -1 where there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Tuple(byte[] bytes, int[] starts, int[] lengths) {
        /** Returns the text of a cell; null where there is none. */
        @Nullable String cell(int column) {
            return column >= lengths.length || lengths[column] < 0
                    ? null
                    : new String(bytes, starts[column], lengths[column], UTF_8);
        }
    }

    /**
     * Decodes a message, which is read to its end.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Message decode(ByteBuffer message) {
        try {
            return decode((char) message.get(), message);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a message of pgoutput is cut", e);
        }
    }

    private static Message decode(char kind, ByteBuffer rest) {
        return switch (kind) {
            case 'B' -> {
                skip(rest, Long.BYTES + Long.BYTES);
                yield new Begin(rest.getInt());
            }
            case 'C' -> {
                skip(rest, 1 + Long.BYTES);
                yield new Commit(rest.getLong());
            }
            case 'R' -> relation(rest);
            case 'I' -> {
                int relation = rest.getInt();
                require(rest, 'N');
                yield new Change(relation, null, tuple(rest));
            }
            case 'U' -> update(rest);
            case 'D' -> {
                int relation = rest.getInt();
                skip(rest, 1);
                yield new Change(relation, tuple(rest), null);
            }
            case 'T' -> truncate(rest);
            // The type of a column, the origin of a transaction, and messages of applications.
            case 'Y', 'O', 'M' -> new Other();
            default ->
                    throw new IllegalArgumentException(
                            "a message of pgoutput is of the unknown kind " + (int) kind);
        };
    }

    private static Message relation(ByteBuffer rest) {
        int oid = rest.getInt();
        String schema = string(rest);
        String name = string(rest);
        char identity = (char) rest.get();
        int count = rest.getShort();
        List<Attribute> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean isIdentity = (rest.get() & 1) != 0;
            String column = string(rest);
            columns.add(new Attribute(column, isIdentity, rest.getInt()));
            skip(rest, Integer.BYTES);
        }
        // The catalog of the system has no name here.
        return new Relation(oid, schema.isEmpty() ? "pg_catalog" : schema, name, identity, columns);
    }

    private static Message update(ByteBuffer rest) {
        int relation = rest.getInt();
        char kind = (char) rest.get();
        Tuple before = null;
        if (kind == 'K' || kind == 'O') {
            before = tuple(rest);
            kind = (char) rest.get();
        }
        if (kind != 'N') {
            throw new IllegalArgumentException("an update of pgoutput has no row after it");
        }
        return new Change(relation, before, tuple(rest));
    }

    private static Message truncate(ByteBuffer rest) {
        int count = rest.getInt();
        skip(rest, 1);
        List<Integer> relations = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            relations.add(rest.getInt());
        }
        return new Truncate(relations);
    }

    private static Tuple tuple(ByteBuffer rest) {
        int count = rest.getShort();
        int[] starts = new int[count];
        int[] lengths = new int[count];
        for (int i = 0; i < count; i++) {
            char kind = (char) rest.get();
            switch (kind) {
                // NULL, and a long value that has not changed.
                case 'n', 'u' -> lengths[i] = -1;
                case 't' -> {
                    lengths[i] = length(rest, rest.getInt());
                    starts[i] = rest.arrayOffset() + rest.position();
                    skip(rest, lengths[i]);
                }
                default ->
                        throw new IllegalArgumentException(
                                "a cell of pgoutput is of the unknown kind " + (int) kind);
            }
        }
        return new Tuple(rest.array(), starts, lengths);
    }

    private static int length(ByteBuffer rest, int length) {
        if (length < 0 || length > rest.remaining()) {
            throw new IllegalArgumentException("a cell of pgoutput is longer than its message");
        }
        return length;
    }

    private static String string(ByteBuffer rest) {
        int end = rest.position();
        while (end < rest.limit() && rest.get(end) != 0) {
            end++;
        }
        int length = end - rest.position();
        String text = new String(rest.array(), rest.arrayOffset() + rest.position(), length, UTF_8);
        skip(rest, length);
        skip(rest, 1);
        return text;
    }

    private static void require(ByteBuffer rest, char kind) {
        if (rest.get() != kind) {
            throw new IllegalArgumentException("a row of pgoutput is of an unknown kind");
        }
    }

    private static void skip(ByteBuffer rest, int bytes) {
        if (rest.remaining() < bytes) {
            throw new BufferUnderflowException();
        }
        rest.position(rest.position() + bytes);
    }
}
