package dev.penstock.server.transfer;

import dev.penstock.http.Admission;
import dev.penstock.http.filter.Cors;
import dev.penstock.http.server.ServerBuilder;
import dev.penstock.server.config.ConcurrencyLimits;
import dev.penstock.server.config.StartupException;
import dev.penstock.server.config.TokenFile;
import dev.penstock.server.config.UploadSettings;
import dev.penstock.server.page.UploadsPage;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.upload.ResumableUploads;
import java.util.List;

/** The uploads of a server at {@code /uploads}, with their page. Closing it ends those that run. Thread-safe. */
public final class UploadService implements AutoCloseable {
    public static final String PATH = "/uploads";

    private static final System.Logger LOG = System.getLogger("dev.penstock.server");

    private final UploadSettings settings;
    private final ResumableUploads uploads;
    private final UploadCounts counts;
    private final Admission admission;

    private UploadService(
            UploadSettings settings,
            ResumableUploads uploads,
            UploadCounts counts,
            Admission admission) {
        this.settings = settings;
        this.uploads = uploads;
        this.counts = counts;
        this.admission = admission;
    }

    /**
     * Opens the directory, and recovers what a crash has left there.
     *
     * @throws StartupException if it can't be used
     */
    public static UploadService open(UploadSettings settings, ConcurrencyLimits limits) {
        try {
            UploadCounts counts = new UploadCounts(settings.directory(), settings.directoryBytes());
            return new UploadService(
                    settings, uploads(settings, counts), counts, admission(limits));
        } catch (TransferException e) {
            throw new StartupException(
                    "--uploads %s can't be used: %s"
                            .formatted(settings.directory(), e.getMessage()),
                    e);
        }
    }

    private static ResumableUploads uploads(UploadSettings settings, UploadCounts counts) {
        return ResumableUploads.builder(settings.directory())
                .maxBytes(settings.maxBytes())
                .quota(settings.quotaBytes())
                .ownerQuota(settings.ownerQuotaBytes())
                .expiry(settings.expiry())
                .durability(settings.durability())
                .interimResponses(settings.interimResponses())
                .hooks(counts)
                .owner(UploadAccess::owner)
                .build();
    }

    /** Returns the admission of one kind of transfers. */
    static Admission admission(ConcurrencyLimits limits) {
        return new Admission(
                limits.transfers(Runtime.getRuntime().maxMemory()),
                limits.queueLimit(),
                limits.queueTimeout());
    }

    /** Returns what admits uploads. */
    public Admission admission() {
        return admission;
    }

    /** Adds the routes. */
    public void mount(ServerBuilder builder) {
        UploadsPage page = new UploadsPage(PATH, settings.tokens() != null);
        page.mount(builder);
        builder.group(
                PATH,
                group -> {
                    group.admission(admission);
                    if (!settings.origins().isEmpty()) {
                        group.filter(cors(settings.origins()));
                    }
                    group.before(page.filter())
                            .filter(new UploadAccess(settings))
                            .after(counts::answered);
                    uploads.accept(group);
                });
    }

    private static Cors cors(List<String> origins) {
        return ResumableUploads.cors(
                origins.contains("*") ? Cors.anyOrigin() : Cors.of(origins.toArray(String[]::new)));
    }

    /** Returns the number of uploads that have begun and are not finished, at most 1,000 of each owner. */
    public long open() {
        TokenFile tokens = settings.tokens();
        List<String> owners = tokens == null ? List.of("") : tokens.owners();
        return owners.stream()
                .flatMap(owner -> uploads.list(owner).stream())
                .filter(upload -> !upload.isComplete())
                .count();
    }

    /** Returns what has happened since the start. */
    public UploadCounts counts() {
        return counts;
    }

    /** Reads the tokens again, and logs the outcome. */
    public void reloadTokens() {
        TokenFile tokens = settings.tokens();
        if (tokens == null) {
            return;
        }
        try {
            if (tokens.reload()) {
                LOG.log(System.Logger.Level.INFO, "Read the tokens again. They have changed");
            }
        } catch (StartupException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "The tokens that were read before stay in use: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        uploads.close();
    }
}
