package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.upload.UploadDialect;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The creation of one upload, empty.
 *
 * <p>It is repeated when its fate is unknown, since an empty upload that nobody knows does nothing until it expires;
 * but not where an empty upload is complete at once, and would be there twice.
 */
final class UploadCreation {
    private final Transfer transfer;
    private final UploadDialect dialect;
    private final UploadDialect.Described described;
    private final Backoff backoff;

    UploadCreation(
            Transfer transfer,
            UploadDialect dialect,
            UploadDialect.Described described,
            Backoff backoff) {
        this.transfer = transfer;
        this.dialect = dialect;
        this.described = described;
        this.backoff = backoff;
    }

    /** Creates it, and gives its URI. */
    URI run() throws InterruptedException {
        checkLength();
        while (true) {
            HttpRequest.Builder request = transfer.calls().request(transfer.uri(), transfer.uri());
            dialect.create(request, described);
            try {
                Answer answer = transfer.calls().send(request, "POST");
                if (answer.isSuccess()) {
                    return location(answer);
                }
                if (!answer.isPassing()) {
                    throw transfer.refusal(answer, "Creating an upload at");
                }
                transfer.pause(backoff, answer);
            } catch (IOException e) {
                checkRepeatable(e);
                transfer.pause(backoff, e);
            }
        }
    }

    private void checkLength() {
        OptionalLong most = dialect.maxBytes();
        long length = described.length().orElse(0);
        if (most.isPresent() && length > most.getAsLong()) {
            throw new TransferException(
                    Kind.TOO_LARGE,
                    "%s takes at most %d bytes, and these are %d; send less, or ask for a greater limit"
                            .formatted(transfer.uri(), most.getAsLong(), length));
        }
    }

    private void checkRepeatable(IOException failure) {
        boolean mayBeWhole = described.length().orElse(1) == 0 && !dialect.isFinishedApart(true);
        if (mayBeWhole && !Transfer.isUnsent(failure)) {
            throw new TransferException(
                    Kind.FAILED,
                    "Whether %s has the empty file is not known, so it is not sent again; look there"
                            .formatted(transfer.uri()),
                    failure);
        }
    }

    private URI location(Answer answer) {
        Optional<String> value = answer.header("location");
        if (value.isPresent()) {
            try {
                URI found = answer.uri().resolve(value.get());
                boolean isSecure = "https".equalsIgnoreCase(found.getScheme());
                boolean wasSecure = "https".equalsIgnoreCase(answer.uri().getScheme());
                if (isSecure || ("http".equalsIgnoreCase(found.getScheme()) && !wasSecure)) {
                    return found;
                }
            } catch (IllegalArgumentException e) {
                // It is reported below, like any other that can't be used.
            }
        }
        throw new TransferException(
                Kind.INVALID,
                "%s has created an upload, but its Location can't be used: %s; what serves it breaks the protocol"
                        .formatted(transfer.uri(), value.orElse("there is none")));
    }
}
