package dev.penstock.bench.transfer.peer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Servers that other package managers have, installed once into {@code ~/.cache/penstock/peers}. One that can't be had
 * is not measured, and the report says why.
 */
final class Installation {
    static final String TUSD_VERSION = "2.10.0";
    static final String NODE_SERVER_VERSION = "2.4.5";
    private static final String NODE_STORE_VERSION = "2.1.1";

    /** Compiling tusd takes minutes on a small machine. */
    private static final long MINUTES = 10;

    private static final String SCRIPT =
            """
            import {Server} from '@tus/server';
            import {FileStore} from '@tus/file-store';
            const [directory, port] = process.argv.slice(2);
            const server = new Server({path: '/files', datastore: new FileStore({directory})});
            server.listen({host: '127.0.0.1', port: Number(port)});
            """;

    /**
     * The result of an installation.
     *
     * @param command what starts the server; empty where it is not installed
     * @param why it is not installed; empty where it is
     */
    record Result(List<String> command, String why) {
        static Result missing(String why) {
            return new Result(List.of(), why);
        }

        boolean isInstalled() {
            return why.isEmpty();
        }
    }

    private Installation() {}

    private static Path directory(String name) throws IOException {
        Path cache = Path.of(System.getProperty("user.home"), ".cache", "penstock", "peers", name);
        return Files.createDirectories(cache);
    }

    private static Optional<Path> executable(String name, String... places) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of(places))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Installs {@code @tus/server}. */
    static Result node(boolean mayInstall) throws IOException, InterruptedException {
        Optional<Path> node = executable("node");
        Optional<Path> npm = executable("npm");
        if (node.isEmpty() || npm.isEmpty()) {
            return Result.missing("there is no npm");
        }
        Path home = directory("tus-node-" + NODE_SERVER_VERSION);
        Path script = home.resolve("server.mjs");
        if (!Files.exists(home.resolve("node_modules/@tus/file-store/package.json"))) {
            if (!mayInstall) {
                return Result.missing("a trial installs nothing");
            }
            String failure =
                    run(
                            home,
                            Map.of(),
                            npm.get().toString(),
                            "install",
                            "--no-audit",
                            "--no-fund",
                            "--prefix",
                            home.toString(),
                            "@tus/server@" + NODE_SERVER_VERSION,
                            "@tus/file-store@" + NODE_STORE_VERSION);
            if (!failure.isEmpty()) {
                return Result.missing("npm install failed: " + failure);
            }
        }
        Files.writeString(script, SCRIPT);
        return new Result(List.of(node.get().toString(), script.toString()), "");
    }

    /** Installs tusd. */
    static Result tusd(boolean mayInstall) throws IOException, InterruptedException {
        Path home = directory("tusd-" + TUSD_VERSION);
        Path tusd = home.resolve("tusd");
        if (!Files.isExecutable(tusd)) {
            Optional<Path> go = executable("go", "/usr/local/go/bin", "/usr/lib/go/bin");
            if (go.isEmpty()) {
                return Result.missing("there is no go");
            }
            if (!mayInstall) {
                return Result.missing("a trial installs nothing");
            }
            String failure =
                    run(
                            home,
                            Map.of("GOBIN", home.toString()),
                            go.get().toString(),
                            "install",
                            "github.com/tus/tusd/v2/cmd/tusd@v" + TUSD_VERSION);
            if (!failure.isEmpty()) {
                return Result.missing("go install failed: " + failure);
            }
        }
        return new Result(List.of(tusd.toString()), "");
    }

    /** Runs a command. Returns the end of what it said if it failed. */
    private static String run(Path directory, Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        Path log = directory.resolve("install.log");
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        process.getOutputStream().close();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            return "not within %d minutes".formatted(MINUTES);
        }
        if (process.exitValue() == 0) {
            return "";
        }
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "exit code " + process.exitValue() : lines.getLast();
    }
}
