package dev.penstock.bench.transfer.load;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;

/** An upload by tus 1.0.0: one request creates it, a second one sends all bytes. */
public final class TusUpload {
    private TusUpload() {}

    /**
     * Uploads the first bytes of a file.
     *
     * @param target the path at which uploads are created, such as {@code /files}
     * @return the upload's path
     */
    public static String send(int port, String target, FileChannel file, long bytes)
            throws IOException {
        try (RawConnection connection = RawConnection.open(port)) {
            String path = create(connection, port, target, bytes);
            connection.write(
                    "PATCH %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\n"
                                    .formatted(path, port)
                            + "Content-Type: application/offset+octet-stream\r\nContent-Length: %d\r\n\r\n"
                                    .formatted(bytes));
            connection.send(file, 0, bytes);
            String head = RawClient.checked(connection.head(), path);
            String offset = RawConnection.field(head, "Upload-Offset");
            if (!offset.equals(Long.toString(bytes))) {
                throw new IOException("%s has %s bytes of %d".formatted(path, offset, bytes));
            }
            return path;
        }
    }

    private static String create(RawConnection connection, int port, String target, long bytes)
            throws IOException {
        connection.write(
                "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTus-Resumable: 1.0.0\r\nUpload-Length: %d\r\n"
                                .formatted(target, port, bytes)
                        + "Content-Length: 0\r\n\r\n");
        String head = RawClient.checked(connection.head(), target);
        connection.drain(head, null);
        URI location = URI.create(RawConnection.field(head, "Location"));
        return location.getPath().startsWith("/")
                ? location.getPath()
                : target + "/" + location.getPath();
    }

    /** Ends an upload, so that its bytes are deleted; a server that does not offer that keeps them. */
    public static void delete(int port, String path) throws IOException {
        try (RawConnection connection = RawConnection.open(port)) {
            connection.write(
                    "DELETE %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTus-Resumable: 1.0.0\r\nContent-Length: 0\r\n\r\n"
                            .formatted(path, port));
            connection.drain(connection.head(), null);
        }
    }

    /** Asks for an upload's offset; -1 where the server does not answer, or does not know the upload. */
    public static long offset(int port, String path) {
        try (RawConnection connection = RawConnection.open(port)) {
            connection.write(
                    "HEAD %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTus-Resumable: 1.0.0\r\n\r\n"
                            .formatted(path, port));
            String offset = RawConnection.field(connection.head(), "Upload-Offset");
            return offset.isEmpty() ? -1 : Long.parseLong(offset);
        } catch (IOException e) {
            return -1;
        }
    }
}
