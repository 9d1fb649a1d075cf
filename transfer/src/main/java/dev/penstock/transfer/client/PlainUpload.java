package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.client.http.Answer;
import dev.penstock.transfer.client.http.Backoff;
import dev.penstock.transfer.client.http.BodyPump;
import dev.penstock.transfer.client.resume.RunningDigest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One upload by a single {@code PUT} or {@code POST}.
 *
 * <p>It is repeated only where the server can't have acted on it: when no connection was made, or when it was refused
 * for now (429, 503). A large body waits for {@code 100 Continue}, so that a refusal is heard before the body is
 * sent; a server that knows nothing of it gets the body after five seconds.
 */
final class PlainUpload {
    private static final long EXPECTING_BYTES = 1 << 20;

    private final Transfer transfer;
    private final Content content;
    private final URI target;
    private final String method;
    private final RunningDigest digest = new RunningDigest("SHA-256");
    private final Backoff backoff;
    private boolean isExpecting;
    private long sentTo;
    private long end;

    PlainUpload(Transfer transfer, Content content, URI target, String method) {
        this.transfer = transfer;
        this.content = content;
        this.target = target;
        this.method = method;
        backoff = transfer.backoff();
        isExpecting = content.length().orElse(EXPECTING_BYTES) >= EXPECTING_BYTES;
    }

    Receipt run() throws IOException, InterruptedException {
        while (true) {
            Answer answer;
            try {
                answer = send();
            } catch (IOException e) {
                boolean isSafe = Transfer.isUnsent(e) || transfer.options().isIdempotent();
                if (!isSafe || !canRepeat()) {
                    throw unknownFate(e);
                }
                transfer.pause(backoff, e);
                continue;
            }
            if (answer.isSuccess()) {
                return receipt(answer);
            }
            if (answer.status() == 417 && isExpecting && canRepeat()) {
                isExpecting = false;
                continue;
            }
            boolean isSafe =
                    answer.isRefusedForNow()
                            || (answer.isPassing() && transfer.options().isIdempotent());
            if (!isSafe || !canRepeat()) {
                throw transfer.refusal(answer, "Sending to");
            }
            transfer.pause(backoff, answer);
        }
    }

    private boolean canRepeat() {
        return content.isRepeatable() || sentTo == 0;
    }

    private TransferException unknownFate(IOException cause) {
        return new TransferException(
                Kind.FAILED,
                ("The %s to %s broke off after %d bytes: %s. Whether it has arrived is not known, so it is not"
                                + " repeated; look there, or allow it by the option idempotent")
                        .formatted(method, target, sentTo, Transfer.describe(cause)),
                cause);
    }

    private Answer send() throws IOException, InterruptedException {
        HttpRequest.Builder request = transfer.calls().request(target, transfer.uri());
        transfer.options().mediaType().ifPresent(type -> request.setHeader("Content-Type", type));
        if (content.length().orElse(-1) == 0) {
            return transfer.calls().send(request, method);
        }
        request.expectContinue(isExpecting);
        end = 0;
        BodyPump pump = new BodyPump(content.length().orElse(-1), transfer.calls().stall());
        return transfer.calls().send(request, method, pump, this::feed);
    }

    private void feed(BodyPump pump) throws IOException, InterruptedException {
        OptionalLong total = content.length();
        for (long at = 0; ; ) {
            ByteBuffer bytes = read(at);
            if (bytes == null) {
                break;
            }
            digest(at, bytes);
            int count = bytes.remaining();
            if (at + count == total.orElse(-1)) {
                content.checkUnchanged();
            }
            if (!pump.send(bytes)) {
                return;
            }
            transfer.repeated(Math.clamp(sentTo - at, 0, count));
            at += count;
            sentTo = Math.max(sentTo, at);
            end = at;
            transfer.moved(at, total);
        }
        pump.complete();
    }

    private void digest(long at, ByteBuffer bytes) {
        if (transfer.options().hasChecksum()) {
            digest.update(at, bytes);
        }
    }

    private @Nullable ByteBuffer read(long position) throws InterruptedException {
        try {
            return content.read(position, transfer.options().chunkBytes());
        } catch (ClosedByInterruptException | InterruptedIOException e) {
            throw new InterruptedException();
        } catch (IOException e) {
            throw new TransferException(
                    Kind.FAILED,
                    "What is sent can't be read at byte %d: %s".formatted(position, e.getMessage()),
                    e);
        }
    }

    private Receipt receipt(Answer answer) throws IOException, InterruptedException {
        boolean isWhole = end == content.length().orElse(end);
        Optional<byte[]> sha256 =
                transfer.options().hasChecksum() && isWhole
                        ? Optional.of(digest.finish(content::read, end))
                        : Optional.empty();
        return transfer.receipt(
                location(answer), Optional.of(UploadProtocol.PLAIN), end, sha256, false, 0);
    }

    private URI location(Answer answer) {
        try {
            return answer.header("location").map(target::resolve).orElse(target);
        } catch (IllegalArgumentException e) {
            return target;
        }
    }
}
