package dev.penstock.transfer;

import java.util.OptionalLong;

/** A transfer that can't be made, or not as it was asked for. Its message names the cause and the remedy. */
public final class TransferException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final long expectedOffset;

    /** The causes that a protocol, or a program, tells apart. */
    public enum Kind {
        /** There is no such upload, or it belongs to somebody else. */
        NOT_FOUND,
        /** It has expired or was deleted. */
        GONE,
        /** The bytes do not begin where the upload ends. */
        WRONG_OFFSET,
        /** The upload is complete, and takes nothing more. */
        COMPLETE,
        /** More bytes than the upload, or any upload, may have. */
        TOO_LARGE,
        /** Another length than was announced. */
        LENGTH_MISMATCH,
        /** Its owner's uploads, or all together, would have more bytes than they may. */
        QUOTA_EXCEEDED,
        /** The disk is full. */
        NO_SPACE,
        /** The directory can't be written. */
        NOT_WRITABLE,
        /** The bytes do not have the digest that was given. */
        DIGEST_MISMATCH,
        /** A newer request for the same upload has ended this one. */
        SUPERSEDED,
        /** A hook of the application has refused it. */
        REJECTED,
        /** The request itself makes no sense. */
        INVALID,
        /** A client's file, or the server's, has changed in the middle, and old and new are never mixed. */
        CHANGED,
        /** A client's caller has ended it; what is there stays, and is resumed. */
        CANCELLED,
        /** As many uploads are received at once as may be; it will do later. */
        BUSY,
        /** The other side, or the way there, has failed, and no retry has helped. */
        FAILED
    }

    /** A failure of a kind. */
    public TransferException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** A failure of a kind, with its cause. */
    public TransferException(
            Kind kind, String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        expectedOffset = -1;
    }

    private TransferException(String message, long expectedOffset) {
        super(message);
        kind = Kind.WRONG_OFFSET;
        this.expectedOffset = expectedOffset;
    }

    /** Bytes that do not begin where the upload ends. */
    public static TransferException wrongOffset(long expected, long provided) {
        return new TransferException(
                "The upload has %d bytes, and these begin at %d; ask for its offset, and go on there"
                        .formatted(expected, provided),
                expected);
    }

    /** The kind of failure. */
    public Kind kind() {
        return kind;
    }

    /** The offset at which to go on, in bytes; nothing unless the kind is {@link Kind#WRONG_OFFSET}. */
    public OptionalLong expectedOffset() {
        return expectedOffset < 0 ? OptionalLong.empty() : OptionalLong.of(expectedOffset);
    }
}
