package dev.penstock.transfer.client;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * A finished transfer.
 *
 * @param location where it can be found: the upload's URI as the server gave it, or the URI that was got
 * @param protocol by which it was sent; nothing for what was got
 * @param bytes the length of the whole
 * @param sha256 of the whole, in lower-case hexadecimal; nothing where the options ask for none, or an upload by the
 *     plain protocol was not read to its end
 * @param isVerified whether the server has compared a digest of the whole, or has stated one that was right
 * @param resumedAt the offset at which this call began; 0 unless an earlier run had left something
 * @param interruptions how often the transfer broke off in this call
 * @param repeatedBytes sent or received more than once in this call
 * @param elapsed the time that this call took
 */
public record Receipt(
        URI location,
        Optional<UploadProtocol> protocol,
        long bytes,
        Optional<String> sha256,
        boolean isVerified,
        long resumedAt,
        int interruptions,
        long repeatedBytes,
        Duration elapsed) {}
