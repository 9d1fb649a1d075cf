package dev.penstock.transfer.client;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;

/**
 * A client that sends and receives bodies of any size in a fixed amount of memory, and resumes what broke off.
 *
 * <p>Calls block, and are made for virtual threads; a client is thread-safe, and one is enough for a program. A
 * transfer is ended by an interrupt of its thread, or by a {@link Cancellation}. Failures are
 * {@link TransferException}s, whose kind tells what happened and whose message what to do; what has moved by then is
 * kept, and the same call goes on there.
 *
 * <p>Memory: each connection in use takes at most {@value TransferClientBuilder#CONNECTION_BYTES} bytes (over HTTP/2
 * the window of a stream as well, {@code jdk.httpclient.windowsize}), and as many are in use at once as the budget of
 * the client holds; further transfers wait. Chunks of more than 32 KiB, where they are asked for, count on top of
 * that.
 */
public final class TransferClient implements AutoCloseable {
    private final Transfer.Shared shared;

    TransferClient(Transfer.Shared shared) {
        this.shared = shared;
    }

    /** A builder of clients. */
    public static TransferClientBuilder builder() {
        return new TransferClientBuilder();
    }

    /** Sends with the default options. */
    public Receipt put(Source source, URI uri) {
        return put(source, uri, TransferOptions.DEFAULT);
    }

    /**
     * Sends to a URI, which is asked by {@code OPTIONS} how: tus 1.0.0, else the IETF draft, else by one {@code PUT}.
     *
     * <p>An upload of a file that broke off, in this process or another, goes on at the offset that the server states.
     *
     * @param uri of the resource that makes uploads; for a plain {@code PUT} of the file itself, or of its directory,
     *     with a slash at the end
     * @throws TransferException when it can't be sent
     */
    public Receipt put(Source source, URI uri, TransferOptions options) {
        Transfer transfer = new Transfer(shared, options, checked(uri));
        return run(options, () -> new UploadCall(transfer, source).run());
    }

    /** Receives into a file with the default options. */
    public Receipt get(URI uri, Path target) {
        return get(uri, target, TransferOptions.DEFAULT);
    }

    /**
     * Receives into a file, which appears when it is whole, in the place of one that is there.
     *
     * <p>Until then the bytes are in {@code NAME.part} beside it, with their description in {@code NAME.part.state}.
     * A later call for the same goes on there, if the file on the server has a strong entity tag and still has the
     * same; else it begins anew. An export of rows goes on behind its last whole row.
     *
     * @throws TransferException when it can't be received
     */
    public Receipt get(URI uri, Path target, TransferOptions options) {
        Transfer transfer = new Transfer(shared, options, checked(uri));
        return run(options, () -> FileDownload.run(transfer, target));
    }

    /**
     * Receives into a channel, which is not closed.
     *
     * <p>What broke off goes on within the call, at the next byte, or behind the last whole row. Where that can't be,
     * since the file has changed or has no strong entity tag, it fails: what the channel has been given can't be
     * taken back.
     *
     * @throws TransferException when it can't be received
     */
    public Receipt get(URI uri, WritableByteChannel channel, TransferOptions options) {
        return get(
                uri,
                (ChunkHandler)
                        chunk -> {
                            while (chunk.hasRemaining()) {
                                channel.write(chunk);
                            }
                        },
                options);
    }

    /** Receives into a handler of chunks, like a channel. */
    public Receipt get(URI uri, ChunkHandler handler, TransferOptions options) {
        Transfer transfer = new Transfer(shared, options, checked(uri));
        return run(options, () -> new ChannelDownload(transfer, handler).run());
    }

    /** Ends all transfers, and closes their connections. */
    @Override
    public void close() {
        shared.calls().close();
    }

    private interface Call {
        Receipt run() throws IOException, InterruptedException;
    }

    private Receipt run(TransferOptions options, Call call) {
        boolean isSwitch = false;
        try {
            if (options.cancellation().isEmpty()) {
                return admitted(call);
            }
            Cancellation cancellation = options.cancellation().get();
            cancellation.enter();
            try {
                return admitted(call);
            } finally {
                isSwitch = cancellation.isCancelled();
                cancellation.leave();
            }
        } catch (InterruptedException | ClosedByInterruptException e) {
            boolean isOurs =
                    isSwitch
                            || options.cancellation().filter(Cancellation::isCancelled).isPresent();
            if (!isOurs) {
                Thread.currentThread().interrupt();
            }
            throw new TransferException(
                    Kind.CANCELLED,
                    "The transfer was cancelled; what has moved is kept, and the same call goes on",
                    e);
        } catch (IOException e) {
            throw local(e);
        } catch (UncheckedIOException e) {
            IOException cause = e.getCause();
            throw local(cause == null ? new IOException(e) : cause);
        }
    }

    private Receipt admitted(Call call) throws IOException, InterruptedException {
        shared.memory().acquire();
        try {
            return call.run();
        } finally {
            shared.memory().release();
        }
    }

    private static TransferException local(IOException e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        if (message.contains("No space left") || message.contains("Disk quota")) {
            return new TransferException(
                    Kind.NO_SPACE,
                    "The disk of this machine is full: " + message + "; make space, and call again",
                    e);
        }
        return new TransferException(
                Kind.FAILED, "The transfer has failed on this machine: " + message, e);
    }

    private static URI checked(URI uri) {
        boolean isHttp =
                "http".equalsIgnoreCase(uri.getScheme())
                        || "https".equalsIgnoreCase(uri.getScheme());
        if (!isHttp || uri.getHost() == null || uri.getRawPath() == null) {
            throw new TransferException(
                    Kind.INVALID,
                    uri
                            + " is no URI of a server; write it as http://host/path or https://host/path");
        }
        return uri.getRawFragment() == null
                ? uri
                : URI.create(uri.toString().replaceFirst("#.*", ""));
    }
}
