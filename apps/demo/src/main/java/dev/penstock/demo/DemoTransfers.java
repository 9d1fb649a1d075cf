package dev.penstock.demo;

import dev.penstock.server.config.DocumentSettings;
import dev.penstock.server.config.JdbcTarget;
import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.ListenPlace;
import dev.penstock.server.config.ServedSources;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.config.UploadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The demo's files: a directory beside its database, which takes uploads and hands them out again. */
final class DemoTransfers {
    private static final System.Logger LOG = System.getLogger("dev.penstock.server");
    private static final String DIRECTORY = "files";
    private static final String DOCUMENTS = "documents";
    private static final long MAX_BYTES = 1L << 30;
    private static final long QUOTA_BYTES = 2L << 30;

    private final boolean takesUploads;
    private final @Nullable TokenFile tokens;

    private DemoTransfers(boolean takesUploads, @Nullable TokenFile tokens) {
        this.takesUploads = takesUploads;
        this.tokens = tokens;
    }

    /**
     * Decides whether uploads are taken: not where others could write without a token.
     *
     * @throws StartupException if the file of tokens can't be read
     */
    static DemoTransfers of(ListenOptions listen, @Nullable Path tokenFile) {
        if (tokenFile != null) {
            return new DemoTransfers(true, TokenFile.read("--token-file", tokenFile));
        }
        ListenPlace open = listen.openPlace().orElse(null);
        if (open != null) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The demo takes no uploads, since whoever reaches {0} could write to this machine: give"
                            + " --token-file FILE with the tokens that clients have to send",
                    open.host());
        }
        return new DemoTransfers(open == null, null);
    }

    /** Returns whether the file of tokens has one; none has if there is no file. */
    boolean hasToken(String token) {
        return tokens != null && tokens.owner(token).isPresent();
    }

    /** Returns what the demo serves. */
    ServedSources sources(DemoDatabase.Opened opened) {
        Path directory = opened.directory().resolve(DIRECTORY);
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new StartupException(
                    "can't make %s (%s): name another directory with --data"
                            .formatted(directory, e.getClass().getSimpleName()),
                    e);
        }
        UploadSettings uploads =
                UploadSettings.in(directory).with(tokens).limited(MAX_BYTES, QUOTA_BYTES);
        return new ServedSources(
                opened.target(),
                null,
                null,
                directory,
                takesUploads ? uploads : null,
                takesUploads ? documents(opened.directory()) : null);
    }

    /** Documents in a database of their own, which is made if it is not there. */
    private DocumentSettings documents(Path directory) {
        Path file = directory.resolve(DOCUMENTS).toAbsolutePath();
        return new DocumentSettings(
                new JdbcTarget(
                        "jdbc:h2:file:" + file + ";IFEXISTS=FALSE;DB_CLOSE_ON_EXIT=FALSE",
                        DemoDatabase.USER,
                        "",
                        List.of()),
                List.of("people"),
                tokens);
    }
}
