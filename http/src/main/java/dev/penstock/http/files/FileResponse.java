package dev.penstock.http.files;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.response.ContentCoding;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * A file as the response to a GET or HEAD: its media type, length, time and entity tag; 304 and 412 by the request's
 * conditions; 206 and 416 by its ranges (RFC 9110, sections 13 and 14). The file is read as it is sent, at the client's
 * speed, without a thread, unless it is compressed: over HTTP/1.1 without TLS by the operating system alone.
 */
public final class FileResponse {
    private FileResponse() {}

    /** Sends a file with the media type that goes with the end of its name. */
    public static void send(Exchange exchange, Path path) throws IOException {
        send(exchange, path, MediaTypes.of(String.valueOf(path.getFileName())));
    }

    /**
     * Sends a file. What the handler has set of headers before goes along. A file that becomes shorter meanwhile breaks
     * the response off; one that is replaced or deleted is sent as it was. It blocks, so it is not for non-blocking
     * handlers.
     *
     * @param path links are followed, wherever they lead: not a path that a client has chosen, for which there is
     * {@link
     *     StaticFiles}
     * @param mediaType the value of {@code Content-Type}
     * @throws HttpException (404) if it is not there, or no regular file; (403) if it may not be read; (412), (416) as
     *     the request has it
     * @throws IOException if the client has gone, or the file can't be read
     */
    public static void send(Exchange exchange, Path path, String mediaType) throws IOException {
        Path real = FilePath.real(path);
        if (real == null) {
            throw missing();
        }
        boolean varies = ContentCoding.compressible(mediaType);
        OpenFile file = open(real, new OpenFile.Form(mediaType, null, varies), 1);
        try {
            FileAnswer.send(exchange, file);
        } finally {
            file.release();
        }
    }

    /**
     * Sends a file that browsers save, instead of showing it. Else as {@link #send(Exchange, Path, String)}.
     *
     * @param fileName by which it is saved, in any language ({@link ContentDisposition}); its end decides on the media
     *     type
     */
    public static void sendAttachment(Exchange exchange, Path path, String fileName)
            throws IOException {
        exchange.header("Content-Disposition", ContentDisposition.attachment(fileName));
        send(exchange, path, MediaTypes.of(fileName));
    }

    /** Opens a file, whose real path this is, for responses, if its bytes are not held so many times. */
    static OpenFile open(Path real, OpenFile.Form form, int times) throws IOException {
        try {
            return OpenFile.open(real, form, times);
        } catch (NoSuchFileException _) {
            throw missing();
        } catch (AccessDeniedException _) {
            throw FilePath.forbidden();
        }
    }

    static HttpException missing() {
        return new HttpException(404, "There is no such file");
    }
}
