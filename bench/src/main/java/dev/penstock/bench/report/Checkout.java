package dev.penstock.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The working tree that is measured, as git knows it.
 *
 * @param directory somewhere in it
 */
public record Checkout(Path directory) {
    /** Where reports are published. */
    private static final String RESULTS = "docs/results";

    /** A working tree; the empty path is the current directory, in which no process can be started by that name. */
    public Checkout {
        directory = directory.toAbsolutePath();
    }

    /** Returns the directory of published reports. */
    public Path results() throws IOException {
        return Path.of(git("rev-parse", "--show-toplevel").getFirst()).resolve(RESULTS);
    }

    /** Returns the commit, with its date. */
    public String commit() throws IOException {
        return git("log", "-1", "--format=%h (%cs)").getFirst();
    }

    /** Returns the files that are not as they are in the commit, without those of published reports. */
    public List<String> uncommitted() throws IOException {
        List<String> files = new ArrayList<>();
        for (String line : git("status", "--porcelain")) {
            String file = line.substring(3);
            if (!file.startsWith(RESULTS) && !(RESULTS + "/").startsWith(file)) {
                files.add(file);
            }
        }
        return files;
    }

    private List<String> git(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .start();
        List<String> lines =
                new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(
                        "asking git about the commit, \""
                                + String.join(" ", command)
                                + "\", failed: "
                                + lines
                                + "; publish from a clone of the repository");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while asking git about the commit", e);
        }
        return lines;
    }
}
