package dev.penstock.bench.transfer.load;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/** A client that sends a file, or receives one and drops it, over a connection of its own. */
public final class RawClient {
    private RawClient() {}

    /** Sends the first bytes of a file as a body of known length. */
    public static void send(int port, String target, FileChannel file, long bytes)
            throws IOException {
        try (RawConnection connection = RawConnection.open(port)) {
            connection.write(
                    "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
                                    .formatted(target)
                            + "Content-Length: %d\r\nConnection: close\r\n\r\n".formatted(bytes));
            connection.send(file, 0, bytes);
            checked(connection.head(), target);
        }
    }

    /** Receives a body, which must have so many bytes and, if it is given, that checksum. */
    public static void receive(int port, String target, long bytes, OptionalLong checksum)
            throws IOException {
        try (RawConnection connection = RawConnection.open(port)) {
            connection.write(
                    "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .formatted(target));
            String head = checked(connection.head(), target);
            CRC32C sum = checksum.isEmpty() ? null : new CRC32C();
            long read = connection.drain(head, sum);
            if (read != bytes || (sum != null && sum.getValue() != checksum.orElseThrow())) {
                throw new IOException(
                        "%s: %d bytes came of %d, or others than those sent"
                                .formatted(target, read, bytes));
            }
        }
    }

    /** Returns a head of a response whose status is a success. */
    static String checked(String head, String what) throws IOException {
        if (!head.startsWith("HTTP/1.1 2")) {
            throw new IOException(
                    what + " was answered with " + head.lines().findFirst().orElse("nothing"));
        }
        return head;
    }
}
