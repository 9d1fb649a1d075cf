package dev.penstock.server.config;

import dev.penstock.transfer.Durability;
import dev.penstock.transfer.upload.ResumableUploads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The uploads that a server takes, and their limits.
 *
 * @param directory where they are kept, and where finished ones lie as files
 * @param tokens of those who may send them; null where this machine alone may
 * @param maxBytes the largest upload
 * @param quotaBytes of all unfinished ones together
 * @param ownerQuotaBytes of the unfinished ones of one token
 * @param directoryBytes of the files in the directory, finished uploads among them, beyond which none begins
 * @param expiry how long an upload is kept that nothing more comes for
 * @param durability when bytes are forced to the disk
 * @param interimResponses whether clients of the IETF draft are told how far they are while they send
 * @param origins of web pages elsewhere that may send uploads with a token; {@code *} for all
 */
public record UploadSettings(
        Path directory,
        @Nullable TokenFile tokens,
        long maxBytes,
        long quotaBytes,
        long ownerQuotaBytes,
        long directoryBytes,
        Duration expiry,
        Durability durability,
        boolean interimResponses,
        List<String> origins) {
    public UploadSettings {
        origins = List.copyOf(origins);
    }

    /** Uploads of this machine without further limits than those of the disk. */
    public static UploadSettings in(Path directory) {
        return new UploadSettings(
                directory,
                null,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                Long.MAX_VALUE,
                ResumableUploads.DEFAULT_EXPIRY,
                Durability.ACKNOWLEDGED,
                true,
                List.of());
    }

    /** The same for those who have a token; null for this machine alone. */
    public UploadSettings with(@Nullable TokenFile newTokens) {
        return new UploadSettings(
                directory,
                newTokens,
                maxBytes,
                quotaBytes,
                ownerQuotaBytes,
                directoryBytes,
                expiry,
                durability,
                interimResponses,
                origins);
    }

    /** The same with limits: of each upload, and of all files in the directory, which are to be few. */
    public UploadSettings limited(long newMaxBytes, long newQuotaBytes) {
        return new UploadSettings(
                directory,
                tokens,
                newMaxBytes,
                newQuotaBytes,
                newQuotaBytes,
                newQuotaBytes,
                expiry,
                durability,
                interimResponses,
                origins);
    }
}
