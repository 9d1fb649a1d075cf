package dev.penstock.transfer;

/** The moments at which the bytes of an upload are forced to the disk. */
public enum Durability {
    /** When the operating system likes. The end of this process loses nothing; a power cut may. */
    PROCESS,
    /** Before an offset is stated to the client: a power cut loses nothing that was stated. */
    ACKNOWLEDGED,
    /** Before the upload is complete: a power cut may lose parts of those that are not. */
    COMPLETE
}
