package dev.penstock.http.compression;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import dev.penstock.http.ContentCoder;

/**
 * Responses as brotli (RFC 7932), by {@code brotli4j}. Quality and window are chosen so that a response holds little:
 * what each costs is in {@code docs/decisions/compression.md}. Thread-safe.
 */
public final class BrotliCoder implements ContentCoder {
    private static final int QUALITY = 3;
    private static final int WINDOW_BITS = 14;
    private static final int ENCODER_BYTES = 416 * 1024;

    /** For {@link java.util.ServiceLoader}. */
    public BrotliCoder() {}

    @Override
    public String coding() {
        return "br";
    }

    @Override
    public boolean isAvailable() {
        try {
            return Brotli4jLoader.isAvailable();
        } catch (LinkageError _) {
            return false;
        }
    }

    @Override
    public int encoderBytes() {
        return ENCODER_BYTES;
    }

    @Override
    public Encoder open() {
        Brotli4jLoader.ensureAvailability();
        return new BrotliEncoder(QUALITY, WINDOW_BITS);
    }
}
