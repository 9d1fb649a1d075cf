package dev.penstock.bench.files;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.server.Nginx;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Server;
import java.io.IOException;
import java.nio.file.Path;

/** A server of files, as experiments see it. Closing ends it. For one thread. */
public sealed interface FileServer extends AutoCloseable {
    /** Where it listens on this machine. */
    int port();

    /** The processor time that it has used so far. */
    long processorNanos() throws IOException;

    @Override
    void close();

    /** Penstock, in a JVM of its own. */
    record Penstock(Child<Integer> child, int port) implements FileServer {
        static Penstock start(Path files, int loops, String heap, Trial trial) throws IOException {
            String directory = files.toString();
            Child<Integer> child =
                    Child.start(
                            "Penstock",
                            heap,
                            trial.log("static-files"),
                            () -> serve(directory, loops));
            return new Penstock(child, child.call(port -> port));
        }

        private static int serve(String directory, int loops) {
            return Server.builder()
                    .port(0)
                    .eventLoops(loops)
                    .accessLog(false)
                    .get("/f/{path...}", StaticFiles.of(Path.of(directory)).listing())
                    .start()
                    .port();
        }

        @Override
        public long processorNanos() throws IOException {
            return child.threads().processorNanos();
        }

        @Override
        public void close() {
            child.close();
        }

        @Override
        public String toString() {
            return "Penstock";
        }
    }

    /** A server to compare with. */
    record Peer(Nginx nginx) implements FileServer {
        @Override
        public int port() {
            return nginx.port();
        }

        @Override
        public long processorNanos() {
            return nginx.processorNanos();
        }

        @Override
        public void close() {
            nginx.close();
        }

        @Override
        public String toString() {
            return "nginx";
        }
    }
}
