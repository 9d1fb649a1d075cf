package dev.penstock.bench.transfer.storm;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.upload.ResumableUploads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The server of the storm, in a JVM that can be killed and started again: it takes uploads at {@code /uploads}, and
 * gives files below {@code /f/}. Closing ends it. For one thread.
 */
final class StormServer implements AutoCloseable {
    static final String HEAP = "24m";
    private static final List<String> OPTIONS =
            List.of("-XX:MaxDirectMemorySize=24m", "-XX:+ExitOnOutOfMemoryError");

    private static final int RECEIVE_BUFFER = 32 * 1024;

    /** The logs of so many starts are kept. */
    private static final int LOGS = 100;

    private final int port;
    private final Path uploads;
    private final Path files;
    private final Trial trial;
    private Child<Integer> child;
    private int starts;

    /** Starts it for the first time. */
    StormServer(int port, Path uploads, Path files, Trial trial) throws IOException {
        this.port = port;
        this.uploads = uploads;
        this.files = files;
        this.trial = trial;
        child = start();
    }

    private Child<Integer> start() throws IOException {
        String to = uploads.toString();
        String from = files.toString();
        int at = port;
        Path log = trial.log("transfer-storm-server-" + starts++ % LOGS);
        return Child.start("the storm's server", HEAP, OPTIONS, log, () -> serve(at, to, from));
    }

    private static int serve(int port, String uploads, String files) {
        return Server.builder()
                .port(port)
                .accessLog(false)
                // What the system holds when the server is killed is sent again.
                .receiveBuffer(RECEIVE_BUFFER)
                .get("/f/{path...}", StaticFiles.of(Path.of(files)))
                .group("/uploads", ResumableUploads.builder(Path.of(uploads)).build())
                .start()
                .port();
    }

    /**
     * Kills it, and starts it again.
     *
     * @return whether it still ran when it was to be killed
     */
    boolean killAndStart() throws IOException, InterruptedException {
        boolean wasAlive = child.isAlive();
        child.kill();
        child.close();
        child = start();
        return wasAlive;
    }

    @Override
    public void close() {
        child.close();
    }
}
