package dev.penstock.server.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of collections of XML documents. */
public final class DocumentOptions {
    public static final String PASSWORD_VARIABLE = "PENSTOCK_MONGODB_PASSWORD";

    @Option(
            names = "--documents",
            paramLabel = "NAME",
            split = ",",
            description =
                    "Keeps XML documents in the database of --mongodb, else in that of --jdbc, and serves them at"
                            + " /documents/NAME; makes collections that are missing. Several by commas. For others"
                            + " than this machine only with --token-file.")
    private List<String> collections = new ArrayList<>();

    @Option(
            names = "--mongodb",
            paramLabel = "URL",
            description =
                    "The database in MongoDB that holds the documents, such as mongodb://me@localhost:27017/shop."
                            + " Unverified: no MongoDB server has run.")
    private @Nullable String mongodb;

    @Option(
            names = "--mongodb-password-file",
            paramLabel = "FILE",
            description =
                    "A file whose first line is the password of the user in --mongodb. Default: the environment"
                            + " variable "
                            + PASSWORD_VARIABLE
                            + ", else the URL's.")
    private @Nullable Path passwordFile;

    /** Returns whether there are any. */
    public boolean areGiven() {
        return !collections.isEmpty();
    }

    /**
     * Returns the collections that are served.
     *
     * @param database of {@code --jdbc}, which holds them where there is no {@code --mongodb}; null if none was given
     * @param tokens of those who may use them; null for none
     * @throws StartupException if there is no database, or others could write without a token
     */
    public Optional<DocumentSettings> settings(
            @Nullable JdbcTarget database, @Nullable TokenFile tokens, ListenOptions listen) {
        if (mongodb == null && passwordFile != null) {
            throw new StartupException(
                    "--mongodb-password-file is about MongoDB: give --mongodb URL too");
        }
        if (collections.isEmpty()) {
            if (mongodb != null) {
                throw new StartupException(
                        "--mongodb holds XML documents: name their collections with --documents NAME,… too");
            }
            return Optional.empty();
        }
        DatabaseTarget holder = mongodb == null ? database : mongo(mongodb);
        if (holder == null) {
            throw new StartupException(
                    "--documents is about a database: give --jdbc URL or --mongodb URL too");
        }
        ListenPlace open = listen.openPlace().orElse(null);
        if (open != null && tokens == null) {
            throw new StartupException(
                    "--documents would let whoever reaches %s write to the database: give --token-file FILE with the"
                                    .formatted(open.host())
                            + " tokens that clients have to send, or listen on 127.0.0.1 alone");
        }
        return Optional.of(new DocumentSettings(holder, collections, tokens));
    }

    private MongoTarget mongo(String url) {
        if (passwordFile == null) {
            return MongoTarget.of(url, System.getenv(PASSWORD_VARIABLE));
        }
        if (!MongoTarget.namesUser(url)) {
            throw new StartupException(
                    "--mongodb-password-file is of a user: name the user in the URL, --mongodb"
                            + " mongodb://USER@HOST/DATABASE");
        }
        return MongoTarget.of(url, PasswordFile.read("--mongodb-password-file", passwordFile));
    }
}
