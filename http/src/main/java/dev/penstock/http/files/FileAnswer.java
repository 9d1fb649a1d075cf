package dev.penstock.http.files;

import dev.penstock.http.Exchange;
import dev.penstock.http.HttpException;
import dev.penstock.http.ResponseBody;
import dev.penstock.http.disk.FileSlice;
import dev.penstock.http.exchange.ServerExchange;
import dev.penstock.http.message.Preconditions;
import dev.penstock.http.response.Response;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** The response that an open file is, by the request's conditions and ranges (RFC 9110, sections 13 and 14). */
final class FileAnswer {
    /** What is smaller is not compressed as it is sent. */
    private static final int LEAST_TO_COMPRESS = 1024;

    private final Exchange exchange;
    private final OpenFile file;

    private FileAnswer(Exchange exchange, OpenFile file) {
        this.exchange = exchange;
        this.file = file;
    }

    /** Sends it. The caller's use of the file goes on; the response has one of its own as long as it reads. */
    static void send(Exchange exchange, OpenFile file) throws IOException {
        new FileAnswer(exchange, file).send();
    }

    /** Returns whether a response with all of the file is compressed as it is sent. */
    static boolean isCompressed(Exchange exchange, OpenFile file) {
        OpenFile.Form form = file.form();
        return form.coding() == null
                && file.size() >= LEAST_TO_COMPRESS
                && exchange instanceof ServerExchange known
                && known.compresses(form.mediaType());
    }

    private void send() throws IOException {
        boolean reads = exchange.method().equals("GET") || exchange.method().equals("HEAD");
        exchange.header("Accept-Ranges", "bytes")
                .header("ETag", file.tag())
                .header("Last-Modified", file.lastModified());
        if (file.form().varies()) {
            exchange.addHeader("Vary", "Accept-Encoding");
        }
        switch (Preconditions.check(exchange::headers, reads, file.tag(), file.modified())) {
            case NOT_MODIFIED -> {
                // The same tag as with 200, which is a weak one where the file is compressed.
                if (isCompressed(exchange, file)) {
                    exchange.header("ETag", "W/" + file.tag());
                }
                exchange.status(304);
            }
            case FAILED ->
                    throw new HttpException(
                            412, "There is another version here than the request is about");
            case PROCEED -> sendContent();
        }
    }

    private void sendContent() throws IOException {
        String coding = file.form().coding();
        if (coding != null) {
            exchange.header("Content-Encoding", coding);
        }
        List<ByteRange> ranges = ranges().orElse(List.of());
        String mediaType = file.form().mediaType();
        byte[] content = file.content();
        if (ranges.size() > 1) {
            sendParts(ranges);
        } else if (ranges.size() == 1) {
            ByteRange range = ranges.getFirst();
            exchange.status(206).header("Content-Range", range.header(file.size()));
            end(start(mediaType, range.length()), range.first(), range.length());
        } else if (content != null) {
            exchange.respond(200, mediaType, content);
        } else {
            ResponseBody body = start(mediaType, file.size());
            if (!exchange.method().equals("HEAD")) {
                end(body, 0, file.size());
            }
        }
    }

    private Optional<List<ByteRange>> ranges() {
        if (!exchange.method().equals("GET")) {
            return Optional.empty();
        }
        return exchange.header("Range")
                .filter(_ ->
                        Preconditions.allowsRange(
                                exchange.header("If-Range").orElse(null),
                                file.tag(),
                                file.modified(),
                                Instant.now()))
                .flatMap(range -> ByteRange.parse(range, file.size()));
    }

    private ResponseBody start(String mediaType, long length) {
        exchange.header("Content-Length", Long.toString(length));
        return exchange.body(mediaType);
    }

    /** The last part of the body, or all of it. */
    private void end(ResponseBody body, long first, long length) throws IOException {
        byte[] content = file.content();
        if (content != null) {
            body.write(ByteBuffer.wrap(content, (int) first, (int) length));
        } else {
            FileSlice slice = slice(first, length);
            if (body instanceof Response response) {
                response.transferLast(slice);
            } else {
                body.transferLast(slice.file(), first, length, slice.whenRead());
            }
        }
    }

    /** A part of the file with a use of its own. */
    private FileSlice slice(long first, long length) throws IOException {
        if (!file.retain()) {
            throw new IOException("The file was closed before it was sent");
        }
        return file.slice(first, length);
    }

    /** Several ranges in one body (RFC 9110, sections 14.6 and 15.3.7.2). */
    private void sendParts(List<ByteRange> ranges) throws IOException {
        String boundary = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        byte[] end = ascii("\r\n--" + boundary + "--\r\n");
        List<byte[]> heads = ranges.stream().map(range -> head(range, boundary)).toList();
        long length = end.length;
        for (int i = 0; i < ranges.size(); i++) {
            length += heads.get(i).length + ranges.get(i).length();
        }
        exchange.status(206);
        ResponseBody body = start("multipart/byteranges; boundary=" + boundary, length);
        byte[] content = file.content();
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            body.write(ByteBuffer.wrap(heads.get(i)));
            if (content == null) {
                copy(body, range);
            } else {
                body.write(ByteBuffer.wrap(content, (int) range.first(), (int) range.length()));
            }
        }
        body.write(ByteBuffer.wrap(end));
    }

    private void copy(ResponseBody body, ByteRange range) throws IOException {
        FileSlice slice = slice(range.first(), range.length());
        if (body instanceof Response response) {
            response.transferFrom(slice);
            return;
        }
        try {
            body.transferFrom(slice.file(), range.first(), range.length());
        } finally {
            slice.whenRead().run();
        }
    }

    private byte[] head(ByteRange range, String boundary) {
        return ascii(
                "\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n"
                        .formatted(boundary, file.form().mediaType(), range.header(file.size())));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
