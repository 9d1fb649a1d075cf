package dev.penstock.bench.transfer.peer;

import dev.penstock.bench.child.Child;
import dev.penstock.bench.experiment.Trial;
import dev.penstock.bench.report.Outcome;
import dev.penstock.http.server.Server;
import dev.penstock.transfer.upload.ResumableUploads;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import me.desair.tus.server.TusFileUploadService;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.ServerConnector;

/** The tus servers that are measured beside each other, as far as there are. Closing ends them. For one thread. */
final class TusServers implements AutoCloseable {
    static final String PENSTOCK = "Penstock";
    static final String NODE = "@tus/server";

    private static final String PATH = "/files";
    private static final String PENSTOCK_HEAP = "32m";
    private static final String JETTY_HEAP = "256m";

    private final List<TusServer> servers = new ArrayList<>();

    private TusServers() {}

    /**
     * Starts them.
     *
     * @param directory in which each has a directory for its files
     * @param mayInstall whether what is missing is installed
     */
    static TusServers start(Path directory, Trial trial, boolean mayInstall, Outcome outcome)
            throws IOException, InterruptedException {
        TusServers all = new TusServers();
        try {
            all.startJava(directory, trial, outcome);
            all.startPrograms(directory, trial, mayInstall, outcome);
            return all;
        } catch (IOException | RuntimeException e) {
            all.close();
            throw e;
        }
    }

    List<TusServer> all() {
        return List.copyOf(servers);
    }

    private void startJava(Path directory, Trial trial, Outcome outcome) throws IOException {
        servers.add(penstock(directory.resolve("penstock"), trial));
        String files = Files.createDirectories(directory.resolve("jetty")).toString();
        Child<Integer> jetty =
                Child.start("Jetty", JETTY_HEAP, trial.log("transfer-jetty"), () -> jetty(files));
        servers.add(new TusServer.Java("tus-java-server", jetty, jetty.call(port -> port), PATH));
        outcome.peer("tus-java-server", TusFileUploadService.class);
        outcome.peer("Jetty, below tus-java-server", org.eclipse.jetty.server.Server.class);
    }

    /** Starts Penstock alone, whose finished uploads lie in a directory. */
    static TusServer penstock(Path directory, Trial trial) throws IOException {
        String files = Files.createDirectories(directory).toString();
        Child<Integer> child =
                Child.start(
                        PENSTOCK,
                        PENSTOCK_HEAP,
                        trial.log("transfer-penstock"),
                        () -> serve(files));
        return new TusServer.Java(PENSTOCK, child, child.call(port -> port), PATH);
    }

    private static int serve(String directory) {
        return Server.builder()
                .port(0)
                .accessLog(false)
                .group(PATH, ResumableUploads.builder(Path.of(directory)).build())
                .start()
                .port();
    }

    private static int jetty(String directory) throws Exception {
        TusFileUploadService uploads =
                new TusFileUploadService().withStoragePath(directory).withUploadUri(PATH);
        org.eclipse.jetty.server.Server server = new org.eclipse.jetty.server.Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setIdleTimeout(TimeUnit.MINUTES.toMillis(5));
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(servlet(uploads)), PATH + "/*");
        server.setHandler(context);
        server.start();
        return connector.getLocalPort();
    }

    private static HttpServlet servlet(TusFileUploadService uploads) {
        return new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                uploads.process(request, response);
            }
        };
    }

    private void startPrograms(Path directory, Trial trial, boolean mayInstall, Outcome outcome)
            throws IOException, InterruptedException {
        trial.doing("installing @tus/server");
        Installation.Result node = Installation.node(mayInstall);
        if (node.isInstalled()) {
            Path files = Files.createDirectories(directory.resolve("node"));
            int port = ServerProcess.freePort();
            start(
                    NODE,
                    node,
                    List.of(files.toString(), Integer.toString(port)),
                    port,
                    trial.log("transfer-node"));
            outcome.peer(NODE, Installation.NODE_SERVER_VERSION);
        } else {
            outcome.text(
                    "@tus/server was not measured, as it is not installed: " + node.why() + ".");
        }
        trial.doing("installing tusd");
        Installation.Result tusd = Installation.tusd(mayInstall);
        if (tusd.isInstalled()) {
            Path files = Files.createDirectories(directory.resolve("tusd"));
            int port = ServerProcess.freePort();
            List<String> options =
                    List.of(
                            "-host=127.0.0.1",
                            "-port=" + port,
                            "-base-path=" + PATH + "/",
                            "-upload-dir=" + files,
                            "-show-greeting=false",
                            "-verbose=false");
            start("tusd", tusd, options, port, trial.log("transfer-tusd"));
            outcome.peer("tusd", Installation.TUSD_VERSION);
        } else {
            outcome.text("tusd was not measured, as it is not installed: " + tusd.why() + ".");
        }
    }

    private void start(
            String name, Installation.Result installed, List<String> options, int port, Path log)
            throws IOException {
        List<String> command = new ArrayList<>(installed.command());
        command.addAll(options);
        // A slash at the end is what tusd wants, and others take.
        String path = name.equals("tusd") ? PATH + "/" : PATH;
        servers.add(new TusServer.Program(name, ServerProcess.start(command, port, log), path));
    }

    @Override
    public void close() {
        servers.forEach(TusServer::close);
    }
}
