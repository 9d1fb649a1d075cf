package dev.penstock.bench.server;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** An nginx that serves a directory. Closing ends it. For one thread. */
public final class Nginx implements AutoCloseable {
    /** What installs it on Debian. */
    public static final String INSTALLATION = "sudo apt-get install nginx";

    private static final Duration START = Duration.ofSeconds(20);
    private static final String CONFIGURATION =
            """
            {user}
            worker_processes {workers};
            daemon off;
            pid {directory}/nginx.pid;
            error_log {directory}/error.log;
            events { worker_connections 4096; }
            http {
              access_log off;
              sendfile on;
              open_file_cache max=10000;
              keepalive_requests 1000000000;
              default_type application/octet-stream;
              client_body_temp_path {directory}/body;
              proxy_temp_path {directory}/proxy;
              fastcgi_temp_path {directory}/fastcgi;
              uwsgi_temp_path {directory}/uwsgi;
              scgi_temp_path {directory}/scgi;
              server {
                listen 127.0.0.1:{port} {protocol} backlog=4096;
                {tls}
                location /f/ { alias {files}/; }
              }
            }
            """;

    private final Process process;
    private final int port;

    private Nginx(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Where it is installed, if it is. */
    public static Optional<Path> executable() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/sbin"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "nginx"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Asks it for its version. */
    public static String version(Path executable) throws IOException {
        Process asked =
                new ProcessBuilder(executable.toString(), "-v").redirectErrorStream(true).start();
        String said =
                new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        return said.replaceAll(".*nginx/(\\S+).*", "$1");
    }

    /**
     * Starts it without TLS.
     *
     * @param directory for what it writes
     * @param files what it serves below {@code /f/}
     */
    public static Nginx start(Path executable, Path directory, Path files, int workers)
            throws IOException {
        return start(executable, directory, files, workers, "");
    }

    /**
     * Starts it with TLS and HTTP/2.
     *
     * @param certificate a PEM file, and {@code key} its key
     */
    public static Nginx startTls(
            Path executable, Path directory, Path files, int workers, Path certificate, Path key)
            throws IOException {
        String tls =
                "ssl_certificate %s; ssl_certificate_key %s; ssl_protocols TLSv1.2 TLSv1.3;"
                        .formatted(certificate, key);
        return start(executable, directory, files, workers, tls);
    }

    private static Nginx start(Path executable, Path directory, Path files, int workers, String tls)
            throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        // Its workers would else be another user, who may not read the files.
        String user = System.getProperty("user.name").equals("root") ? "user root;" : "";
        Path configuration =
                Files.writeString(
                        directory.resolve("nginx.conf"),
                        CONFIGURATION
                                .replace("{user}", user)
                                .replace("{protocol}", tls.isEmpty() ? "" : "ssl http2")
                                .replace("{tls}", tls)
                                .replace("{workers}", Integer.toString(workers))
                                .replace("{directory}", directory.toString())
                                .replace("{port}", Integer.toString(port))
                                .replace("{files}", files.toString()));
        Process process =
                new ProcessBuilder(
                                executable.toString(),
                                "-p",
                                directory.toString(),
                                "-c",
                                configuration.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("output").toFile())
                        .start();
        Nginx nginx = new Nginx(process, port);
        nginx.awaitStart(directory);
        return nginx;
    }

    private void awaitStart(Path directory) throws IOException {
        long deadline = System.nanoTime() + START.toNanos();
        while (true) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (socket.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() > deadline) {
                    close();
                    throw new IOException(
                            "nginx did not start: "
                                    + Files.readString(directory.resolve("output")).strip(),
                            notYet);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    /** Its port on the loopback address. */
    public int port() {
        return port;
    }

    /** The processor time of its processes so far. */
    public long processorNanos() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .mapToLong(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
