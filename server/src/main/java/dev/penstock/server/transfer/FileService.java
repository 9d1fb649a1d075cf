package dev.penstock.server.transfer;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.files.StaticFiles;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.config.ConcurrencyLimits;
import java.nio.file.Path;

/** The files of a directory at {@code /files/}, with lists of its folders. Thread-safe. */
public final class FileService {
    public static final String PATH = "/files";

    /**
     * Whoever uploads a page must not have it act as one of this server's own: browsers give it an origin of its own.
     */
    private static final String SANDBOX =
            "sandbox allow-downloads allow-forms allow-popups allow-scripts";

    private final StaticFiles files;
    private final boolean areUploaded;
    private final Admission admission;

    private FileService(StaticFiles files, boolean areUploaded, Admission admission) {
        this.files = files;
        this.areUploaded = areUploaded;
        this.admission = admission;
    }

    /**
     * The files of a directory.
     *
     * @param areUploaded whether the server takes uploads, so that others may have put files there
     */
    public static FileService of(Path directory, boolean areUploaded, ConcurrencyLimits limits) {
        return new FileService(
                StaticFiles.of(directory).listing(), areUploaded, UploadService.admission(limits));
    }

    /** Returns what admits downloads. */
    public Admission admission() {
        return admission;
    }

    /** Adds the routes. */
    public void mount(ServerBuilder builder) {
        builder.group(
                PATH,
                group -> {
                    group.admission(admission)
                            .get("", exchange -> exchange.redirect(308, PATH + "/"))
                            .get("/{path...}", files);
                    if (areUploaded) {
                        group.after(FileService::sandbox);
                    }
                });
    }

    private static void sandbox(Exchange exchange, int status) {
        if (status != 0) {
            exchange.addHeader("Content-Security-Policy", SANDBOX);
        }
    }
}
