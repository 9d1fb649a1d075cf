package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The file of a Unix domain socket. */
@Timeout(60)
final class SocketFileIT extends ServerFixture {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @TempDir private Path directory;
    private Path path;

    @BeforeEach
    void name() {
        path = directory.resolve("http.sock");
    }

    private RawClient atSocket() throws IOException {
        return new RawClient(new UnixSocket(path));
    }

    private Server atPath() {
        return start(b ->
                b.listener(Listener.unix(path))
                        .get("/", x -> x.respond(200, "text/plain", "here")));
    }

    private void refuses(Path where, String... says) {
        assertThatThrownBy(() -> Server.builder().listener(Listener.unix(where)).start())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Can't listen on the Unix socket " + where)
                .hasMessageContainingAll(says);
    }

    @Test
    void file_thatAnEarlierProcessHasLeft_isReplaced() throws Exception {
        try (var left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            left.bind(UnixDomainSocketAddress.of(path));
        }
        assertThat(path).exists();
        Server server = atPath();
        try (RawClient client = atSocket()) {
            assertThat(client.send(GET).reply().text()).isEqualTo("here");
        }
        server.close();
        assertThat(path).doesNotExist();
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).noneMatch(file -> file.getFileName().toString().startsWith("."));
        }
    }

    @Test
    void file_atWhichSomebodyListens_isNotReplaced() throws Exception {
        atPath();
        refuses(path, "another process listens there");
        try (RawClient client = atSocket()) {
            assertThat(client.send(GET).reply().text()).isEqualTo("here");
        }
    }

    @Test
    void file_thatIsNoSocket_isNotReplaced() throws Exception {
        Files.writeString(path, "precious");
        refuses(path, "is no socket, and is not replaced");
        assertThat(path).hasContent("precious");
        refuses(directory.resolve("none").resolve("http.sock"), "there is no directory");
        refuses(directory.resolve("x".repeat(120)), "its path is too long");
    }

    @Test
    void pipe_orALinkToASocket_isNotReplaced() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
        refuses(path, "is no socket, and is not replaced");
        assertThat(path).exists();
        Files.delete(path);
        Path link = Files.createSymbolicLink(directory.resolve("link.sock"), path);
        atPath();
        refuses(link, "is no socket, and is not replaced");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void file_ofAnotherServerThatCameLater_isNotDeleted() throws Exception {
        Server first = atPath();
        Files.delete(path);
        atPath();
        first.close();
        try (RawClient client = atSocket()) {
            assertThat(client.send(GET).reply().text()).isEqualTo("here");
        }
    }

    @Test
    void permissions_areTheOwnersUnlessSet() throws Exception {
        atPath();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-------");
        Path other = directory.resolve("other.sock");
        start(b -> b.listener(Listener.unix(other).withPermissions("rw-rw-r--")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
                .isEqualTo("rw-rw-r--");
        Path third = directory.resolve("third.sock");
        start(b -> b.listener(Listener.unix(third).withPermissions("0640")));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(third)))
                .isEqualTo("rw-r-----");
        assertThatThrownBy(() -> Listener.unix(path).withPermissions("everybody"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write rw-rw---- or 660");
        assertThatThrownBy(() -> Listener.tcp(1).withPermissions("660"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Listener.unix(path).withAddress("0.0.0.0"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
