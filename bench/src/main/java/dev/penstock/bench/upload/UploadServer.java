package dev.penstock.bench.upload;

import dev.penstock.http.Exchange;
import dev.penstock.http.form.Multipart;
import dev.penstock.http.form.Part;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.nio.file.Path;

/** A server that keeps the files of forms in a folder, each under the name of its field. Thread-safe. */
final class UploadServer implements AutoCloseable {
    private final Path folder;
    private final Server server;

    /**
     * Starts one.
     *
     * @param maxBytes of a form
     */
    UploadServer(Path folder, long maxBytes) {
        this.folder = folder;
        server =
                Server.builder()
                        .port(0)
                        .accessLog(false)
                        .maxBody(maxBytes)
                        .post("/upload", this::keep)
                        .start();
    }

    int port() {
        return server.port();
    }

    private void keep(Exchange exchange) throws IOException {
        Multipart.of(exchange).forEach(this::keep);
        exchange.respond(201, "text/plain", "kept");
    }

    private void keep(Part part) throws IOException {
        // The clients are the experiment's own: names of its fields are numbers.
        Path file = folder.resolve(Integer.toString(Integer.parseInt(part.name())));
        part.saveAs(file);
    }

    @Override
    public void close() {
        server.close();
    }
}
