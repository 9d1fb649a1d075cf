package com.example.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.http.Exchange;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.client.Receipt;
import dev.penstock.transfer.client.Source;
import dev.penstock.transfer.client.TransferClient;
import dev.penstock.transfer.client.TransferOptions;
import dev.penstock.transfer.stream.BoundedLines;
import dev.penstock.transfer.stream.PeekableInputStream;
import dev.penstock.transfer.stream.Streams;
import dev.penstock.transfer.upload.ResumableUploads;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;

/** Page 7 of the guide: bodies of any size. */
public final class LargeBodies {
    private static final long MOST = 20L << 30;

    public static void main(String[] arguments) {
        ResumableUploads uploads = uploads(Path.of("incoming"));
        Server server = routes(uploads).port(8080).start();
        System.out.println("http://127.0.0.1:" + server.port() + "/uploads");
    }

    // region routes
    static ResumableUploads uploads(Path directory) {
        return ResumableUploads.builder(directory).maxBytes(MOST).build();
    }

    static ServerBuilder routes(ResumableUploads uploads) {
        return Server.builder()
                .maxBody(MOST)
                .group("/uploads", uploads)
                .post("/checksum", LargeBodies::checksum)
                .post("/lines", LargeBodies::lines)
                .onError(
                        TransferException.class,
                        (tooMuch, x) -> x.respond(413, "text/plain", "" + tooMuch.getMessage()));
    }

    // end

    // region chunks
    private static void checksum(Exchange exchange) throws IOException {
        CRC32C checksum = new CRC32C();
        ByteBuffer chunk = ByteBuffer.allocate(64 * 1024);
        ReadableByteChannel body = exchange.requestBody();
        while (body.read(chunk.clear()) >= 0) {
            checksum.update(chunk.flip());
        }
        exchange.respond(200, "text/plain", "%08x\n".formatted(checksum.getValue()));
    }

    // end

    // region tools
    private static void lines(Exchange exchange) throws IOException {
        InputStream body = Channels.newInputStream(exchange.requestBody());
        PeekableInputStream sent = new PeekableInputStream(body, 2);
        byte[] start = sent.peek(2);
        boolean gzip = start.length == 2 && start[0] == 0x1f && start[1] == (byte) 0x8b;
        InputStream text = gzip ? new GZIPInputStream(sent) : sent;
        // A small file may unpack to a huge one, and a line may have no end.
        BoundedLines lines = BoundedLines.of(Streams.limit(text, MOST), UTF_8, 10_000);
        long count = 0;
        while (lines.readLine() != null) {
            count++;
        }
        exchange.respond(200, "text/plain", count + " lines\n");
    }

    // end

    // region client
    static Receipt sendAndFetch(Path file, URI uploads, Path copy) {
        TransferOptions options = TransferOptions.DEFAULT.progress(System.out::println);
        try (TransferClient client = TransferClient.builder().build()) {
            Receipt sent = client.put(Source.file(file), uploads, options);
            return client.get(sent.location(), copy, options.connections(4));
        }
    }

    // end
}
