package dev.penstock.transfer.client;

/** The protocols by which a client sends a body. */
public enum UploadProtocol {
    /** tus 1.0.0. */
    TUS,
    /** The IETF draft of resumable uploads (draft-ietf-httpbis-resumable-upload). */
    DRAFT,
    /** One {@code PUT}, or one {@code POST}, which can't be resumed. */
    PLAIN
}
