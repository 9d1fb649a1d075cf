package dev.penstock.http.container;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Handler;
import dev.penstock.http.server.Server;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that are ready while the host says that it can be written to. */
@Timeout(300)
final class ContainerTransportRaceTest {
    private static final int REQUESTS = 20_000;

    /** A host that notes what it is told, in order, and takes everything. */
    private static final class Host implements ContainerRequest {
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public String target() {
            return "/";
        }

        @Override
        public int applicationBelow() {
            return 0;
        }

        @Override
        public String mappedPath() {
            return "/";
        }

        @Override
        public int mountedBelow() {
            return 0;
        }

        @Override
        public Iterable<Map.Entry<String, String>> headers() {
            return List.of(Map.entry("Host", "x"));
        }

        @Override
        public String remoteAddress() {
            return "127.0.0.1";
        }

        @Override
        public boolean isSecure() {
            return false;
        }

        @Override
        public long bodyLength() {
            return 0;
        }

        @Override
        public void startReading() {}

        @Override
        public boolean canRead() {
            return false;
        }

        @Override
        public int read(byte[] into) {
            return -1;
        }

        @Override
        public void head(int status, Iterable<Map.Entry<String, String>> fields, long length) {
            told.add("head " + status + " " + length);
        }

        @Override
        public boolean canWrite() {
            return true;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            told.add("write " + length);
        }

        @Override
        public void flush() {}

        @Override
        public void complete() {
            told.add("complete");
        }

        @Override
        public void giveUp() {
            told.add("give up");
        }

        @Override
        public void abort() {
            told.add("abort");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void head_leavesBeforeTheBody_whateverComesFirst(boolean nonBlocking) throws Exception {
        Handler answer = exchange -> exchange.respond(201, "text/plain", "hello");
        try (Server server =
                Server.builder()
                        .accessLog(false)
                        .get("/", nonBlocking ? Handler.nonBlocking(answer) : answer)
                        .startInContainer()) {
            for (int i = 0; i < REQUESTS; i++) {
                Host host = new Host();
                server.accept(host).writable();
                for (String expected : new String[] {"head 201 5", "write 5", "complete"}) {
                    assertThat(host.told.poll(1, TimeUnit.MINUTES)).isEqualTo(expected);
                }
            }
        }
    }
}
