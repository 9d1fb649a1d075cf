package dev.penstock.transfer.client;

import java.util.Optional;

/**
 * The options of one transfer. Each method gives a copy that differs in one of them; immutable.
 *
 * <p>Defaults: no listener, one connection, 10 tries in a row without progress, chunks of 32 KiB, a checksum is
 * computed, state is kept so that a later call resumes, the protocol is found by asking the server, and a plain
 * upload whose fate is unknown is not repeated.
 */
public final class TransferOptions {
    /** The defaults. */
    public static final TransferOptions DEFAULT = new TransferOptions();

    /** The most connections that one download may use. */
    public static final int MAX_CONNECTIONS = 16;

    private static final int MIN_CHUNK_BYTES = 1024;
    private static final int MAX_CHUNK_BYTES = 8 << 20;

    private Progress progress = Progress.NONE;
    private Optional<Cancellation> cancellation = Optional.empty();
    private int connections = 1;
    private int retries = 10;
    private int chunkBytes = 32 * 1024;
    private boolean hasChecksum = true;
    private boolean keepsState = true;
    private boolean isIdempotent;
    private Optional<UploadProtocol> protocol = Optional.empty();
    private Optional<String> fileName = Optional.empty();
    private Optional<String> mediaType = Optional.empty();

    private TransferOptions() {}

    private TransferOptions(TransferOptions from) {
        progress = from.progress;
        cancellation = from.cancellation;
        connections = from.connections;
        retries = from.retries;
        chunkBytes = from.chunkBytes;
        hasChecksum = from.hasChecksum;
        keepsState = from.keepsState;
        isIdempotent = from.isIdempotent;
        protocol = from.protocol;
        fileName = from.fileName;
        mediaType = from.mediaType;
    }

    /** Tells a listener what happens. */
    public TransferOptions progress(Progress listener) {
        TransferOptions copy = new TransferOptions(this);
        copy.progress = listener;
        return copy;
    }

    /** Lets a switch end the transfer. An interrupt of the calling thread ends it as well. */
    public TransferOptions cancellation(Cancellation cancel) {
        TransferOptions copy = new TransferOptions(this);
        copy.cancellation = Optional.of(cancel);
        return copy;
    }

    /**
     * Gets a file by several ranges at once, where the server has ranges and a strong entity tag.
     *
     * @param count 1 to 16; fewer are used where the client's memory budget holds no more
     */
    public TransferOptions connections(int count) {
        if (count < 1 || count > MAX_CONNECTIONS) {
            throw new IllegalArgumentException(
                    "A download uses 1 to " + MAX_CONNECTIONS + " connections, not " + count);
        }
        TransferOptions copy = new TransferOptions(this);
        copy.connections = count;
        return copy;
    }

    /**
     * Tries so many times in a row without any progress before it gives up.
     *
     * @param count 0 to 1,000
     */
    public TransferOptions retries(int count) {
        if (count < 0 || count > 1000) {
            throw new IllegalArgumentException(
                    "A transfer is tried again 0 to 1,000 times, not " + count);
        }
        TransferOptions copy = new TransferOptions(this);
        copy.retries = count;
        return copy;
    }

    /**
     * Reads what is sent in chunks of this size.
     *
     * @param bytes 1 KiB to 8 MiB; up to three chunks of an upload are in memory
     */
    public TransferOptions chunkBytes(int bytes) {
        if (bytes < MIN_CHUNK_BYTES || bytes > MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "A chunk has %d to %d bytes, not %d"
                            .formatted(MIN_CHUNK_BYTES, MAX_CHUNK_BYTES, bytes));
        }
        TransferOptions copy = new TransferOptions(this);
        copy.chunkBytes = bytes;
        return copy;
    }

    /** Computes the SHA-256 of the whole for the receipt, and for the server where it verifies it. */
    public TransferOptions checksum(boolean isComputed) {
        TransferOptions copy = new TransferOptions(this);
        copy.hasChecksum = isComputed;
        return copy;
    }

    /** Keeps on the disk what a later call, also of another process, needs to resume this one. */
    public TransferOptions keepState(boolean isKept) {
        TransferOptions copy = new TransferOptions(this);
        copy.keepsState = isKept;
        return copy;
    }

    /**
     * Allows a plain upload to be repeated though it may have arrived: the application knows that twice is as good as
     * once.
     */
    public TransferOptions idempotent(boolean isHarmless) {
        TransferOptions copy = new TransferOptions(this);
        copy.isIdempotent = isHarmless;
        return copy;
    }

    /** Sends by this protocol, without asking the server which it has. */
    public TransferOptions protocol(UploadProtocol chosen) {
        TransferOptions copy = new TransferOptions(this);
        copy.protocol = Optional.of(chosen);
        return copy;
    }

    /** Names what is sent; the name of the file unless set. */
    public TransferOptions fileName(String name) {
        TransferOptions copy = new TransferOptions(this);
        copy.fileName = Optional.of(name);
        return copy;
    }

    /** States the media type of what is sent; {@code application/octet-stream}, or none, unless set. */
    public TransferOptions mediaType(String type) {
        TransferOptions copy = new TransferOptions(this);
        copy.mediaType = Optional.of(type);
        return copy;
    }

    Progress progress() {
        return progress;
    }

    Optional<Cancellation> cancellation() {
        return cancellation;
    }

    int connections() {
        return connections;
    }

    int retries() {
        return retries;
    }

    int chunkBytes() {
        return chunkBytes;
    }

    boolean hasChecksum() {
        return hasChecksum;
    }

    boolean keepsState() {
        return keepsState;
    }

    boolean isIdempotent() {
        return isIdempotent;
    }

    Optional<UploadProtocol> protocol() {
        return protocol;
    }

    Optional<String> fileName() {
        return fileName;
    }

    Optional<String> mediaType() {
        return mediaType;
    }
}
