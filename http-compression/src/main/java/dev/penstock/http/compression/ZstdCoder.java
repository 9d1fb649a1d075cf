package dev.penstock.http.compression;

import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.util.Native;
import dev.penstock.http.ContentCoder;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Responses as zstd (RFC 8878), by {@code zstd-jni}. Level and window are chosen so that a response holds little: what
 * each costs is in {@code docs/decisions/compression.md}. As many encoders as there are processors are kept for the
 * next responses. Thread-safe.
 */
public final class ZstdCoder implements ContentCoder {
    private static final int LEVEL = 3;
    private static final int WINDOW_LOG = 14;
    private static final int HASH_LOG = 12;
    private static final int CHAIN_LOG = 11;
    private static final int ENCODER_BYTES = 160 * 1024;

    /** Those of all coders: each server has a coder of its own, which is not told of the server's end. */
    private static final BlockingQueue<ZstdEncoder> IDLE =
            new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());

    /** For {@link java.util.ServiceLoader}. */
    public ZstdCoder() {}

    @Override
    public String coding() {
        return "zstd";
    }

    @Override
    public boolean isAvailable() {
        try {
            Native.load();
            return Native.isLoaded();
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
        ZstdEncoder kept = IDLE.poll();
        return kept == null ? new ZstdEncoder(context()) : kept.reopen();
    }

    private static ZstdCompressCtx context() {
        return new ZstdCompressCtx()
                .setLevel(LEVEL)
                .setWindowLog(WINDOW_LOG)
                .setHashLog(HASH_LOG)
                .setChainLog(CHAIN_LOG)
                .setContentSize(false);
    }

    /** Takes back an encoder for the next response; returns whether there is room for it. */
    static boolean keep(ZstdEncoder encoder) {
        return IDLE.offer(encoder);
    }
}
