package dev.penstock.snapshot.file;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a file: what it is, and where its directory lies. The file ends with the directory.
 *
 * @param directory where the directory begins, which is where the data end
 * @param directoryBytes how long it is
 * @param directoryChecksum its CRC-32C
 */
record FileHeader(long directory, int directoryBytes, int directoryChecksum) {
    static final int BYTES = 64;

    /** "PENSTOCK" in ASCII. */
    private static final long MAGIC = 0x50_45_4E_53_54_4F_43_4BL;

    /** The form of the file; another whenever the meaning of any byte changes, also that of a code or a key. */
    private static final int FORMAT = 3;

    /** Written in the machine's own order, as the bytes of cells are. */
    private static final int BYTE_ORDER_MARK = 0x01020304;

    /** The checksum is behind these bytes. */
    private static final int CHECKED = BYTES - Integer.BYTES;

    /** Returns the header's bytes. */
    ByteBuffer bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(MAGIC).putInt(FORMAT);
        bytes.order(ByteOrder.nativeOrder()).putInt(BYTE_ORDER_MARK).order(ByteOrder.BIG_ENDIAN);
        bytes.putLong(directory).putInt(directoryBytes).putInt(directoryChecksum);
        bytes.putInt(CHECKED, headerChecksum(bytes));
        return bytes.clear();
    }

    /**
     * Reads a header.
     *
     * @param bytes the first 64 of the file
     * @param size how long the file is
     */
    static FileHeader of(ByteBuffer bytes, long size) throws RefusedFileException {
        if (bytes.getLong(0) != MAGIC) {
            throw new RefusedFileException("is no file of tables in memory");
        }
        if (bytes.getInt(CHECKED) != headerChecksum(bytes)) {
            throw new RefusedFileException("is damaged: the checksum of its header is another");
        }
        int format = bytes.getInt(8);
        if (format != FORMAT) {
            throw new RefusedFileException(
                    "has form %d, and this version of Penstock reads form %d"
                            .formatted(format, FORMAT));
        }
        if (bytes.order(ByteOrder.nativeOrder()).getInt(12) != BYTE_ORDER_MARK) {
            throw new RefusedFileException("was written by a machine of another byte order");
        }
        bytes.order(ByteOrder.BIG_ENDIAN);
        FileHeader header = new FileHeader(bytes.getLong(16), bytes.getInt(24), bytes.getInt(28));
        if (header.directory + header.directoryBytes != size) {
            throw new RefusedFileException(
                    "has %,d bytes, and was written with %,d"
                            .formatted(size, header.directory + header.directoryBytes));
        }
        return header;
    }

    private static int headerChecksum(ByteBuffer bytes) {
        return checksum(bytes.duplicate().clear().limit(CHECKED));
    }

    /** Returns the CRC-32C of the bytes that a buffer has left, which it keeps. */
    static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate());
        return (int) checksum.getValue();
    }
}
