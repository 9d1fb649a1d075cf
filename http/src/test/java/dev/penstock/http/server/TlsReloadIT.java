package dev.penstock.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that change while clients come. */
@Timeout(600)
final class TlsReloadIT extends ServerFixture {
    private static final int CLIENTS = 4;
    private static final int RELOADS = 6;

    @TempDir private Path directory;

    @Test
    void reload_underLoad_failsNoRequest() throws Exception {
        TestAuthority authority = new TestAuthority("authority");
        SSLContext context = authority.client(null);
        Path certificate = directory.resolve("own.crt");
        Path key = directory.resolve("own.key");
        authority.issue("localhost").write(certificate, key);
        // Made before the load, beside which keys of RSA would take long.
        List<TestAuthority.Issued> successors = new ArrayList<>();
        for (int i = 0; i < RELOADS; i++) {
            String algorithm = i % 2 == 0 ? "RSA" : "EC";
            successors.add(authority.issue(TestAuthority.localhost().algorithm(algorithm)));
        }
        Server server =
                start(b ->
                        b.tls(certificate, key)
                                .get("/", x -> x.respond(200, "text/plain", "whole")));
        AtomicBoolean done = new AtomicBoolean();
        AtomicInteger answered = new AtomicInteger();
        Queue<Exception> failures = new ConcurrentLinkedQueue<>();
        try (SSLSocket open = new TlsClient(context, server.port()).connect();
                HttpClient kept = HttpClient.newBuilder().sslContext(context).build()) {
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                boolean keeps = i == 0;
                threads.add(
                        Thread.startVirtualThread(() -> {
                            while (!done.get()) {
                                try {
                                    String text =
                                            keeps
                                                    ? ask(kept, server)
                                                    : new TlsClient(context, server.port()).ask();
                                    if (!text.endsWith("whole")) {
                                        failures.add(new IOException("Answered: " + text));
                                    }
                                    answered.incrementAndGet();
                                } catch (Exception failure) {
                                    failures.add(failure);
                                }
                            }
                        }));
            }
            for (TestAuthority.Issued successor : successors) {
                TestAuthority.Issued issued = successor.write(certificate, key);
                // Whoever looks every 5 s may have been first.
                var _ = server.reloadTls();
                assertThat(new TlsClient(context, server.port()).presented())
                        .isEqualTo(issued.own());
                int before = answered.get();
                await("requests go on", () -> answered.get() > before + CLIENTS);
            }
            done.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            RawClient old = new RawClient(open);
            assertThat(old.send(TlsClient.GET).reply().text()).isEqualTo("whole");
        }
        assertThat(failures).isEmpty();
    }

    private static String ask(HttpClient client, Server server) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(
                                        URI.create(
                                                "https://localhost:%d/".formatted(server.port())))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }
}
