package dev.penstock.bench.files;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Figures;
import dev.penstock.bench.report.Outcome;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A directory of very many files: what a server holds after it was asked for many of them, and for the list. */
final class ManyFiles {
    private static final int FILES = 100_000;

    /** Making and deleting as many takes a file system minutes. */
    private static final int ALL_FILES = 1_000_000;

    private static final int ASKED = 50_000;

    /** What the cache may have of the files, and as much for what else a request leaves behind. */
    private static final double MOST_BYTES = 8e6;

    private final Trial trial;

    ManyFiles(Trial trial) {
        this.trial = trial;
    }

    void measure(Outcome outcome, Path directory, int loops, String heap) throws Exception {
        int count = trial.scaled(trial.full() ? ALL_FILES : FILES);
        int asked = Math.min(count, trial.scaled(ASKED));
        trial.doing("a directory of " + count + " files");
        Files.createDirectories(directory);
        for (int i = 0; i < count; i++) {
            Files.createFile(directory.resolve("file-" + i));
        }
        try (FileServer.Penstock server =
                FileServer.Penstock.start(directory, loops, heap, trial)) {
            ask(server.port(), 0, Math.min(asked, 1000), count);
            long before = server.child().idleHeapBytes();
            long started = System.nanoTime();
            ask(server.port(), 0, asked, count);
            double perFile = (System.nanoTime() - started) / 1e3 / asked;
            long after = server.child().idleHeapBytes();
            started = System.nanoTime();
            long listed = list(server.port());
            double seconds = (System.nanoTime() - started) / 1e9;
            long afterList = server.child().idleHeapBytes();
            double grown = Math.max(after, afterList) - (double) before;
            outcome.finding(
                    "%,d files: live heap grows by at most %s when %,d are asked for and all are listed"
                            .formatted(count, Figures.megabytes(MOST_BYTES), asked),
                    Figures.megabytes(grown),
                    grown <= MOST_BYTES && listed == count);
            outcome.table(
                            "A directory of %,d files".formatted(count),
                            "|live heap, MB|time of each, µs|time of the list, s")
                    .row("asked for 1,000", before / 1e6, "", "")
                    .row("asked for %,d, one by one".formatted(asked), after / 1e6, perFile, "")
                    .row("listed", afterList / 1e6, "", seconds);
        }
    }

    /** Asks for files that lie far apart, one after the other. */
    private static void ask(int port, int first, int asked, int count) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = first; i < first + asked; i++) {
                int file = (int) (i * 7919L % count);
                send(socket, "/f/file-" + file, "HTTP/1.1");
                if (!head(in).startsWith("HTTP/1.1 200 ")) {
                    throw new IOException("file-" + file + " was not answered");
                }
            }
        }
    }

    private static void send(Socket socket, String path, String version) throws IOException {
        String request = "GET %s %s\r\nHost: x\r\n\r\n".formatted(path, version);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new EOFException("ended in the head: " + head);
            }
            head.append((char) b);
        }
        return head.toString();
    }

    /** Returns how many files are listed. */
    private static long list(int port) throws IOException {
        byte[] mark = "file-".getBytes(StandardCharsets.US_ASCII);
        long marks = 0;
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            // Without chunks, whose sizes would stand in the midst of names.
            send(socket, "/f/", "HTTP/1.0");
            InputStream in = socket.getInputStream();
            byte[] block = new byte[64 * 1024];
            int matched = 0;
            for (int read = in.read(block); read >= 0; read = in.read(block)) {
                for (int i = 0; i < read; i++) {
                    matched = block[i] == mark[matched] ? matched + 1 : block[i] == 'f' ? 1 : 0;
                    if (matched == mark.length) {
                        marks++;
                        matched = 0;
                    }
                }
            }
        }
        // Each has its name in its link and as its text.
        return marks / 2;
    }

    /** Deletes a directory, and what is in it. */
    static void delete(Path directory) throws IOException {
        Files.walkFileTree(
                directory,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path visited, @Nullable IOException failure) throws IOException {
                        Files.delete(visited);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
