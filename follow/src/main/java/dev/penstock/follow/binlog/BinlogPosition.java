package dev.penstock.follow.binlog;

import static java.util.Objects.requireNonNull;

/**
 * A place between two events of the binary log. Places are ordered by the number at the end of the file's name, and
 * then by the offset.
 *
 * @param file the name of the file, as {@code mariadb-bin.000012}
 * @param offset in bytes from the beginning of the file
 */
public record BinlogPosition(String file, long offset) implements Comparable<BinlogPosition> {
    /** The offset of the first event of a file. */
    static final long FIRST_OFFSET = 4;

    public BinlogPosition {
        requireNonNull(file);
        if (number(file) < 0 || offset < 0) {
            throw new IllegalArgumentException(
                    "\"%s:%d\" is no place in a binary log".formatted(file, offset));
        }
    }

    private static long number(String file) {
        String digits = file.substring(file.lastIndexOf('.') + 1);
        boolean known = digits.matches("[0-9]{1,18}");
        return known ? Long.parseLong(digits) : -1;
    }

    @Override
    public int compareTo(BinlogPosition other) {
        int files = Long.compare(number(file), number(other.file));
        return files != 0 ? files : Long.compare(offset, other.offset);
    }

    /** Returns whether everything before another place is before this one. */
    boolean reaches(BinlogPosition other) {
        return compareTo(other) >= 0;
    }

    /** Returns a place that is before the end of the event group that ends here, and not before the group before it. */
    BinlogPosition before() {
        return new BinlogPosition(file, Math.max(0, offset - 1));
    }

    @Override
    public String toString() {
        return file + ":" + offset;
    }
}
