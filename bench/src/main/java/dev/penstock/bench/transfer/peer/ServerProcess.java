package dev.penstock.bench.transfer.peer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A server that is another program, as one process. Closing ends it. For one thread. */
final class ServerProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(30);

    private final Process process;
    private final int port;

    private ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Returns a port that nobody listens on. */
    static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /**
     * Starts a program, and waits until it listens.
     *
     * @param port that its command names
     */
    static ServerProcess start(List<String> command, int port, Path log) throws IOException {
        Files.createDirectories(log.toAbsolutePath().getParent());
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        ServerProcess server = new ServerProcess(process, port);
        long deadline = System.nanoTime() + START.toNanos();
        while (!server.listens()) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                server.close();
                throw new IOException(command.getFirst() + " did not start; see " + log);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        return server;
    }

    private boolean listens() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    int port() {
        return port;
    }

    long processorNanos() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    /** The most resident memory so far, as the kernel counts it; 0 where it does not tell. */
    long peakResidentBytes() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        if (Files.isReadable(status)) {
            for (String line : Files.readAllLines(status)) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        }
        return 0;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
