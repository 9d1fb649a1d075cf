package dev.penstock.http.files;

import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.RawClient.Reply;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.ServerFixture;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A directory of files, and clients that ask for them. */
abstract class FilesFixture extends ServerFixture {
    /** Whether this system tells which files are open. */
    static final Path OPEN = Path.of("/proc/self/fd");

    @TempDir Path directory;
    Path root;

    @BeforeEach
    final void createRoot() throws IOException {
        root = Files.createDirectories(directory.resolve("public")).toRealPath();
    }

    /** A server of the directory, below {@code /f}. */
    final Server serve(StaticFiles files) {
        return start(b -> b.get("/f/{path...}", files));
    }

    static Reply ask(
            Protocol protocol, Server server, String method, String path, String... headers)
            throws IOException {
        try (TestClient client = protocol.connect(server.port())) {
            return client.send(method, path, headers).reply();
        }
    }

    /** Writes a file of bytes that compress badly. */
    final byte[] write(String name, int size) throws IOException {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        Files.write(root.resolve(name), bytes);
        return bytes;
    }

    /** How many descriptors this process has of files in the directory. */
    final long openFiles() throws IOException {
        long count = 0;
        try (Stream<Path> descriptors = Files.list(OPEN)) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                try {
                    count += Files.readSymbolicLink(descriptor).startsWith(root) ? 1 : 0;
                } catch (IOException _) {
                    // It was closed meanwhile.
                }
            }
        }
        return count;
    }
}
