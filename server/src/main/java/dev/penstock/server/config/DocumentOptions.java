package dev.penstock.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of collections of XML documents. */
public final class DocumentOptions {
    @Option(
            names = "--documents",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Keeps XML documents in the database of --jdbc and serves them at /documents/NAME; makes"
                            + " collections that are missing. Several by commas. For others than this machine only"
                            + " with --token-file.")
    private List<String> collections = new ArrayList<>();

    /** Returns whether there are any. */
    public boolean areGiven() {
        return !collections.isEmpty();
    }

    /**
     * Returns the collections that are served.
     *
     * @param database that holds them; null if none was given
     * @param tokens of those who may use them; null for none
     * @throws StartupException if there is no database, or others could write without a token
     */
    public Optional<DocumentSettings> settings(
            @Nullable JdbcTarget database, @Nullable TokenFile tokens, ListenOptions listen) {
        if (collections.isEmpty()) {
            return Optional.empty();
        }
        if (database == null) {
            throw new StartupException("--documents is about a database: give --jdbc URL too");
        }
        ListenPlace open = listen.openPlace().orElse(null);
        if (open != null && tokens == null) {
            throw new StartupException(
                    "--documents would let whoever reaches %s write to the database: give --token-file FILE with the"
                                    .formatted(open.host())
                            + " tokens that clients have to send, or listen on 127.0.0.1 alone");
        }
        return Optional.of(new DocumentSettings(database, collections, tokens));
    }
}
