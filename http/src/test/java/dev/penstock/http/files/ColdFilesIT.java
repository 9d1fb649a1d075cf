package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Handler;
import dev.penstock.http.disk.StallingFile;
import dev.penstock.http.server.Protocol;
import dev.penstock.http.server.Server;
import dev.penstock.http.server.TestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files that are not in memory, on a disk that hangs: nobody else waits for it. */
@Timeout(120)
final class ColdFilesIT extends FilesFixture {
    /** More files than there are threads that read. */
    private static final int FILES = 8;

    private static final int SIZE = 3 * 1024 * 1024 + 17;

    private final List<StallingFile> files = new ArrayList<>();

    /** A server with one event loop, which has files and a short answer of each kind. */
    private Server serve() throws IOException {
        write("large.bin", SIZE);
        for (int i = 0; i < FILES; i++) {
            files.add(new StallingFile(root.resolve("large.bin")));
        }
        return start(b ->
                b.eventLoops(1)
                        .get("/short", Handler.nonBlocking(x -> x.respond(200, "text/plain", "a")))
                        .get("/thread", x -> x.respond(200, "text/plain", "b"))
                        .get(
                                "/file/{number}",
                                x -> {
                                    int number = Integer.parseInt(x.pathParameter("number"));
                                    StallingFile file = files.get(number);
                                    x.header("Content-Length", "" + SIZE)
                                            .body("application/x")
                                            .transferLast(file, 0, SIZE, () -> close(file));
                                }));
    }

    private static void close(StallingFile file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void files_onADiskThatHangs_keepNobodyElseWaiting(Protocol protocol) throws Exception {
        Server server = serve();
        List<TestClient> waiting = new ArrayList<>();
        try (TestClient other = protocol.connect(server.port())) {
            for (int i = 0; i < FILES; i++) {
                waiting.add(protocol.connect(server.port()).settle().get("/file/" + i));
            }
            await("all begun", () -> server.requests() == FILES);
            await("read", () -> files.stream().anyMatch(StallingFile::isAwaited));
            for (int i = 0; i < 50; i++) {
                assertThat(other.get("/short").reply().text()).isEqualTo("a");
                assertThat(other.get("/thread").reply().text()).isEqualTo("b");
            }
            files.forEach(StallingFile::goOn);
            byte[] bytes = write("same.bin", SIZE);
            for (TestClient client : waiting) {
                assertThat(client.reply().body()).isEqualTo(bytes);
            }
        } finally {
            for (TestClient client : waiting) {
                client.close();
            }
        }
        assertThat(files).allSatisfy(file -> assertThat(file.touchedBy()).isEmpty());
        await("closed", () -> files.stream().noneMatch(StallingFile::isOpen));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void client_thatLeavesWhileTheDiskHangs_leavesTheFileToTheReader(Protocol protocol)
            throws Exception {
        Server server = serve();
        TestClient client = protocol.connect(server.port()).get("/file/0");
        await("begun", () -> files.getFirst().isAwaited());
        client.leave();
        await("gone", () -> server.connections() == 0);
        assertThat(files.getFirst().isOpen()).isTrue();
        files.getFirst().goOn();
        await("closed", () -> !files.getFirst().isOpen());
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void file_thatCannotBeRead_breaksTheResponseOff(Protocol protocol) throws Exception {
        Server server = serve();
        try (TestClient client = protocol.connect(server.port()).get("/file/0")) {
            await("begun", () -> files.getFirst().isAwaited());
            files.getFirst().fail(new IOException("Input/output error"));
            assertThatThrownBy(() -> assertThat(client.reply().body()).hasSize(SIZE))
                    .isInstanceOfAny(IOException.class, AssertionError.class);
        }
        await("closed", () -> !files.getFirst().isOpen());
    }

    @Test
    void server_thatStopsWhileTheDiskHangs_stops() throws Exception {
        Server server = serve();
        try (TestClient client = Protocol.HTTP_1_1.connect(server.port()).get("/file/0")) {
            await("begun", () -> files.getFirst().isAwaited());
            server.close();
            files.getFirst().goOn();
            await("closed", () -> !files.getFirst().isOpen());
            assertThatThrownBy(() -> assertThat(client.reply().body()).hasSize(SIZE))
                    .isInstanceOfAny(IOException.class, AssertionError.class);
        }
    }
}
