package dev.penstock.transfer.upload;

import dev.penstock.http.Admission;
import dev.penstock.http.Exchange;
import dev.penstock.http.filter.Cors;
import dev.penstock.http.server.Routes;
import dev.penstock.transfer.Durability;
import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.Upload;
import dev.penstock.transfer.UploadHooks;
import dev.penstock.transfer.draft.RepresentationDigest;
import dev.penstock.transfer.store.StoreLimits;
import dev.penstock.transfer.store.StoreSettings;
import dev.penstock.transfer.store.UploadStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Uploads of any size into a directory, resumable, as a group of routes:
 *
 * {@snippet :
 * ResumableUploads uploads = ResumableUploads.builder(Path.of("incoming")).maxBytes(20L << 30).build();
 * Server server = Server.builder().group("/uploads", uploads).start();
 * }
 *
 * <p>The same path speaks tus 1.0.0 and the IETF draft of resumable uploads, and takes forms of {@code
 * multipart/form-data}, plain POST, and plain PUT to a name below it. GET of the path lists the owner's uploads as
 * JSON, GET of one that is complete hands it out. Files that are complete lie in the directory under their names; what
 * is unfinished lies in {@code .uploads} in it, and survives a crash.
 *
 * <p>An upload in progress holds one buffer of 64 KiB and a virtual thread; one that pauses holds nothing. It belongs
 * to its owner, whom {@link Builder#owner} finds; for others it is not there (404). To be closed after the server that
 * it is mounted on: what runs then is ended, and can be resumed later. Thread-safe.
 */
public final class ResumableUploads implements Consumer<Routes.Group>, AutoCloseable {
    /** The methods that scripts of other sites need, for {@link Cors#methods}. */
    public static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    /** The headers that clients send, for {@link Cors#requestHeaders}. */
    public static final List<String> REQUEST_HEADERS =
            List.of(
                    "Authorization",
                    "Content-Disposition",
                    "Content-Type",
                    "Content-Digest",
                    "Repr-Digest",
                    "Tus-Resumable",
                    "Upload-Checksum",
                    "Upload-Complete",
                    "Upload-Concat",
                    "Upload-Defer-Length",
                    "Upload-Draft-Interop-Version",
                    "Upload-Incomplete",
                    "Upload-Length",
                    "Upload-Metadata",
                    "Upload-Offset",
                    "X-HTTP-Method-Override",
                    "X-Request-ID",
                    "X-Requested-With");

    /** The headers of responses that clients read, for {@link Cors#exposedHeaders}. */
    public static final List<String> EXPOSED_HEADERS =
            List.of(
                    "Content-Disposition",
                    "Content-Digest",
                    "Location",
                    "Repr-Digest",
                    "Retry-After",
                    "Tus-Checksum-Algorithm",
                    "Tus-Extension",
                    "Tus-Max-Size",
                    "Tus-Resumable",
                    "Tus-Version",
                    "Upload-Complete",
                    "Upload-Concat",
                    "Upload-Defer-Length",
                    "Upload-Draft-Interop-Version",
                    "Upload-Expires",
                    "Upload-Incomplete",
                    "Upload-Length",
                    "Upload-Limit",
                    "Upload-Metadata",
                    "Upload-Offset");

    /** The time that an unfinished upload is kept after its last request, unless {@link Builder#expiry} is set. */
    public static final Duration DEFAULT_EXPIRY = StoreSettings.defaults().unfinishedAge();

    private final UploadStore store;
    private final UploadHandler handler;
    private final @Nullable Admission admission;

    private ResumableUploads(Builder draft) {
        store =
                UploadStore.open(
                        draft.directory,
                        draft.settings(),
                        RepresentationDigest.checkedBefore(draft.hooks));
        handler =
                new UploadHandler(
                        store,
                        new UploadSettings(
                                draft.maxBytes,
                                draft.owner,
                                draft.clock,
                                draft.publicPath,
                                draft.interim));
        admission = draft.admission;
    }

    /**
     * Uploads into a directory, which is made if it is not there. Unless it is set otherwise: an upload may have as
     * many bytes as the disk has room, there is no quota, an unfinished upload is kept for 24 hours after its last
     * request and the state of a complete one for 24 hours, bytes are forced to the disk before an offset is stated
     * ({@link Durability#ACKNOWLEDGED}), every upload is accepted, and all belong to one owner, the empty text.
     *
     * @param directory one that no other store has open; its file system decides how large an upload can be
     */
    public static Builder builder(Path directory) {
        return new Builder(directory);
    }

    /** Extends a permission by what clients of uploads send and read, in browsers. */
    public static Cors cors(Cors permission) {
        return permission
                .methods(METHODS.toArray(String[]::new))
                .requestHeaders(REQUEST_HEADERS.toArray(String[]::new))
                .exposedHeaders(EXPOSED_HEADERS.toArray(String[]::new));
    }

    /**
     * Adds the routes of uploads to a group, and lifts the limit of its bodies: that of an upload holds instead. Called
     * by {@code server.group("/uploads", uploads)}; before the server starts, for one thread.
     */
    @Override
    public void accept(Routes.Group group) {
        group.maxBody(Long.MAX_VALUE);
        if (admission != null) {
            group.admission(admission);
        }
        handler.mount(group);
    }

    /** Returns an owner's uploads, newest first, at most 1,000. */
    public List<Upload> list(String owner) {
        return store.list(owner).stream().map(UploadJson::upload).toList();
    }

    /**
     * Returns an upload.
     *
     * @throws TransferException (NOT_FOUND) if there is none of that identifier, or it is another owner's; (GONE) if it
     *     has expired or was deleted
     */
    public Upload upload(String id, String owner) {
        return UploadJson.upload(store.state(id, owner));
    }

    /** Ends the uploads that run, and lets go of the directory. */
    @Override
    public void close() {
        store.close();
    }

    /** Settings of uploads; see {@link ResumableUploads#builder} for what holds unless they are set. For one thread. */
    public static final class Builder {
        private final Path directory;
        private long maxBytes = Long.MAX_VALUE;
        private long quota = Long.MAX_VALUE;
        private long ownerQuota = Long.MAX_VALUE;
        private int maxUploads = StoreLimits.defaults().totalUploads();
        private int maxOwnerUploads = StoreLimits.defaults().ownerUploads();
        private long freeBytes = StoreLimits.defaults().freeBytes();
        private Duration expiry = DEFAULT_EXPIRY;
        private Duration finishedExpiry = StoreSettings.defaults().finishedAge();
        private Durability durability = Durability.ACKNOWLEDGED;
        private UploadHooks hooks = UploadHooks.NONE;
        private Function<Exchange, String> owner = _ -> "";
        private @Nullable String publicPath;
        private boolean interim = true;
        private @Nullable Admission admission;
        private InstantSource clock = InstantSource.system();

        private Builder(Path directory) {
            this.directory = directory;
        }

        /** The most bytes of one upload; beyond it 413. Announced to clients. As many as there is room unless set. */
        public Builder maxBytes(long bytes) {
            maxBytes = bytes;
            return this;
        }

        /** The most bytes of all unfinished uploads together, reserved at their creation; beyond it 413. */
        public Builder quota(long bytes) {
            quota = bytes;
            return this;
        }

        /** The most bytes of the unfinished uploads of one owner, reserved at their creation; beyond it 413. */
        public Builder ownerQuota(long bytes) {
            ownerQuota = bytes;
            return this;
        }

        /**
         * The most uploads that are known at once.
         *
         * @param all complete ones included, the oldest of which are forgotten for new ones; 10,000 unless set
         * @param ofOwner unfinished ones of one owner; 1,000 unless set
         */
        public Builder maxUploads(int all, int ofOwner) {
            maxUploads = all;
            maxOwnerUploads = ofOwner;
            return this;
        }

        /** The bytes of the disk that uploads leave free; one that needs them is refused (507). 64 MiB unless set. */
        public Builder keepFree(long bytes) {
            freeBytes = bytes;
            return this;
        }

        /** How long an unfinished upload is kept after its last request. 24 hours unless set. */
        public Builder expiry(Duration time) {
            expiry = time;
            return this;
        }

        /** How long a complete upload can be asked for; its file stays. 24 hours unless set. */
        public Builder finishedExpiry(Duration time) {
            finishedExpiry = time;
            return this;
        }

        /** When bytes are forced to the disk. {@link Durability#ACKNOWLEDGED} unless set. */
        public Builder durability(Durability moments) {
            durability = moments;
            return this;
        }

        /** What the application has to say in uploads. */
        public Builder hooks(UploadHooks application) {
            hooks = application;
            return this;
        }

        /**
         * To whom the uploads of a request belong.
         *
         * @param function called on the request's thread, for each; what it throws is the response
         */
        public Builder owner(Function<Exchange, String> function) {
            owner = function;
            return this;
        }

        /**
         * The URL or path under which clients see the uploads, for {@code Location}, where a proxy has it elsewhere:
         * {@code /files}, {@code https://cdn.example/in}. The path of the request unless set.
         */
        public Builder publicPath(String path) {
            publicPath = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
            return this;
        }

        /**
         * Sets whether clients of the IETF draft are told where their upload is and how far, while its bytes come, by
         * the informational response 104. They are unless it is set: proxies that take such a response for the last
         * one, as nginx does with 104, break uploads over HTTP/2 by that.
         */
        public Builder interimResponses(boolean on) {
            interim = on;
            return this;
        }

        /** What admits requests to uploads. That of the group, or of the server, unless set. */
        public Builder admission(Admission limit) {
            admission = limit;
            return this;
        }

        /** The time. The system's unless set. */
        public Builder clock(InstantSource source) {
            clock = source;
            return this;
        }

        /**
         * Opens the directory and recovers what a crash has left there. No other process may have it open: that is not
         * checked, since locks of files can't be relied on everywhere.
         *
         * @throws TransferException (NOT_WRITABLE) if it can't be written
         * @throws IllegalArgumentException if a setting is out of its range
         */
        public ResumableUploads build() {
            return new ResumableUploads(this);
        }

        private StoreSettings settings() {
            StoreLimits limits =
                    StoreLimits.defaults()
                            .withBytes(maxBytes, ownerQuota, quota)
                            .withUploads(maxOwnerUploads, maxUploads)
                            .withFreeBytes(freeBytes);
            return StoreSettings.defaults()
                    .withDurability(durability)
                    .withLimits(limits)
                    .withAges(expiry, finishedExpiry)
                    .withClock(clock);
        }
    }
}
