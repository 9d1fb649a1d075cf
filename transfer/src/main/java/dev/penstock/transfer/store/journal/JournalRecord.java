package dev.penstock.transfer.store.journal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A record in the journal of an upload.
 *
 * @param sequence the number of the record; of two, the larger one holds
 * @param boot when it was written
 * @param stage of the upload
 * @param forced the bytes of the data that are on the disk for certain
 * @param length of the whole; -1 as long as it is not known
 * @param unverified where an append began whose digest was not compared; -1 for none. What lies behind does not count
 * @param touched when the upload was last used, in milliseconds since 1970
 * @param fileTime when the file was last changed that the upload has become, in milliseconds since 1970
 * @param target the name of the file that it becomes; empty as long as it has none
 */
public record JournalRecord(
        long sequence,
        UUID boot,
        Stage stage,
        long forced,
        long length,
        long unverified,
        long touched,
        long fileTime,
        String target) {
    /** A disk writes so many bytes at once, or none of them. */
    static final int BYTES = 512;

    private static final int MAGIC = 0x50554a31;
    private static final int CHECKSUM_AT = BYTES - Integer.BYTES;

    /** Writes it as {@link #BYTES} bytes. */
    ByteBuffer encode() {
        byte[] name = target.getBytes(StandardCharsets.UTF_8);
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putInt(MAGIC).putInt(stage.code()).putLong(sequence);
        bytes.putLong(boot.getMostSignificantBits()).putLong(boot.getLeastSignificantBits());
        bytes.putLong(forced).putLong(length).putLong(unverified);
        bytes.putLong(touched).putLong(fileTime);
        bytes.putShort((short) name.length).put(name);
        return bytes.putInt(CHECKSUM_AT, checksum(bytes)).position(0).limit(BYTES);
    }

    /** Reads one; nothing where it was not written to its end. */
    static Optional<JournalRecord> decode(ByteBuffer bytes) {
        if (bytes.remaining() != BYTES
                || bytes.getInt(0) != MAGIC
                || bytes.getInt(CHECKSUM_AT) != checksum(bytes)) {
            return Optional.empty();
        }
        ByteBuffer from = bytes.duplicate();
        Optional<Stage> stage = Stage.of(from.position(Integer.BYTES).getInt());
        return stage.map(known -> decode(from, known));
    }

    private static JournalRecord decode(ByteBuffer from, Stage stage) {
        long sequence = from.getLong();
        UUID boot = new UUID(from.getLong(), from.getLong());
        long forced = from.getLong();
        long length = from.getLong();
        long unverified = from.getLong();
        long touched = from.getLong();
        long fileTime = from.getLong();
        byte[] name = new byte[from.getShort()];
        from.get(name);
        return new JournalRecord(
                sequence,
                boot,
                stage,
                forced,
                length,
                unverified,
                touched,
                fileTime,
                new String(name, StandardCharsets.UTF_8));
    }

    private static int checksum(ByteBuffer bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.duplicate().limit(CHECKSUM_AT).position(0));
        return (int) checksum.getValue();
    }
}
