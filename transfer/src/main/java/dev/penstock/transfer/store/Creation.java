package dev.penstock.transfer.store;

import dev.penstock.transfer.TransferException;
import dev.penstock.transfer.TransferException.Kind;
import dev.penstock.transfer.store.UploadDirectory.Description;
import dev.penstock.transfer.store.journal.Stage;
import dev.penstock.transfer.store.journal.Uninterrupted;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The beginning of an upload: checked, reserved, accepted by the application, laid down, published. */
final class Creation {
    private static final int ID_BYTES = 16;
    private static final int MOST_FACTS_BYTES = 8 * 1024;
    private static final int MOST_TEXT_BYTES = 1024;

    /** The bytes that facts may have more for each part that an upload is made of, to name it. */
    private static final int MOST_PART_BYTES = 32;

    private static final int MOST_PARTIALS = 1_000;
    private static final long COPY_BYTES = 8L << 20;

    private final StoreContext store;
    private final SecureRandom random = new SecureRandom();

    /** The writing of an upload's data before the upload is there. */
    private interface Filling {
        void fill(UploadEntry entry) throws IOException;
    }

    Creation(StoreContext store) {
        this.store = store;
    }

    /** Makes an upload without bytes. */
    UploadEntry create(NewUpload upload) {
        return create(upload, MOST_FACTS_BYTES, null);
    }

    /** Makes an upload of the bytes of others, all of which are there; it is not complete yet. */
    UploadEntry concatenate(NewUpload upload, List<UploadEntry> parts) {
        if (parts.isEmpty() || parts.size() > MOST_PARTIALS) {
            throw new TransferException(
                    Kind.INVALID,
                    "An upload can be made of 1 to %d others, not of %d"
                            .formatted(MOST_PARTIALS, parts.size()));
        }
        long sum = 0;
        for (UploadEntry part : parts) {
            if (!part.isPartial || !part.stage.isComplete()) {
                throw new TransferException(
                        Kind.INVALID,
                        part.isPartial
                                ? "An upload that is to be a part of another is not complete yet"
                                : "An upload that was not created as partial can't be a part of another");
            }
            // Each is on this disk, so that the sum of a thousand can't overflow unless parts are
            // named twice.
            sum = part.length > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + part.length;
        }
        if (upload.length().orElse(sum) != sum) {
            throw new TransferException(
                    Kind.LENGTH_MISMATCH,
                    "The parts have %d bytes together, and not %d"
                            .formatted(sum, upload.length().orElse(0)));
        }
        NewUpload whole =
                new NewUpload(
                        upload.owner(),
                        OptionalLong.of(sum),
                        upload.fileName(),
                        upload.mediaType(),
                        upload.facts(),
                        upload.isPartial());
        return create(
                whole,
                MOST_FACTS_BYTES + parts.size() * MOST_PART_BYTES,
                entry -> copy(entry, parts));
    }

    private UploadEntry create(NewUpload upload, int mostFacts, @Nullable Filling filling) {
        check(upload, mostFacts);
        new Removal(store).makeRoom();
        long length = upload.length().orElse(-1);
        Reservations.Reservation reservation =
                store.reservations.open(upload.owner(), Math.max(0, length));
        Description description =
                new Description(newId(), Instant.ofEpochMilli(store.now()), upload);
        UploadEntry entry = new UploadEntry(store, description, length, reservation);
        boolean isMade = false;
        try {
            accept(entry);
            if (length == 0) {
                entry.stage = Stage.RECEIVED;
            }
            entry.files.create(entry.record());
            if (filling != null) {
                filling.fill(entry);
            }
            Uninterrupted.run(() -> entry.files.publish(description, store.forces()));
            isMade = true;
        } catch (IOException e) {
            throw entry.failure("When an upload was created", e);
        } finally {
            if (!isMade) {
                reservation.release();
                if (!entry.files.clear()) {
                    StoreContext.LOGGER.log(
                            System.Logger.Level.WARNING,
                            "What is left of upload {0} is removed when the store is opened again",
                            entry.id);
                }
            }
        }
        store.entries.put(entry.id, entry);
        return entry;
    }

    private void accept(UploadEntry entry) {
        try {
            store.hooks.accept(entry.upload());
        } catch (TransferException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw Completion.hookFailed("accept", entry, e);
        }
    }

    private void check(NewUpload upload, int mostFacts) {
        upload.fileName().ifPresent(name -> FileNames.check(store.directory, name));
        requireShort("owner", upload.owner());
        requireShort("media type", upload.mediaType().orElse(""));
        long facts =
                upload.facts().entrySet().stream()
                        .mapToLong(fact -> bytes(fact.getKey()) + bytes(fact.getValue()))
                        .sum();
        if (facts > mostFacts) {
            throw new TransferException(
                    Kind.INVALID,
                    "The upload's metadata has %d bytes; %d are allowed"
                            .formatted(facts, mostFacts));
        }
        long length = upload.length().orElse(0);
        if (length < 0) {
            throw new TransferException(
                    Kind.INVALID, "The length is %d; it can't be negative".formatted(length));
        }
        requireAllowed(store.settings.limits(), length);
    }

    /** Refuses a length beyond what an upload may have. */
    static void requireAllowed(StoreLimits limits, long length) {
        if (length > limits.uploadBytes()) {
            throw new TransferException(
                    Kind.TOO_LARGE,
                    "The length is %d bytes; an upload may have %d"
                            .formatted(length, limits.uploadBytes()));
        }
    }

    private static void requireShort(String what, String text) {
        if (bytes(text) > MOST_TEXT_BYTES) {
            throw new TransferException(
                    Kind.INVALID,
                    "The %s has %d bytes; %d are allowed"
                            .formatted(what, bytes(text), MOST_TEXT_BYTES));
        }
    }

    private static long bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private String newId() {
        byte[] bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private void copy(UploadEntry entry, List<UploadEntry> parts) throws IOException {
        try (FileChannel to = store.disk.openToWrite(entry.files.data())) {
            for (UploadEntry part : parts) {
                try (FileChannel from = store.disk.openToRead(part.files.data())) {
                    copy(entry, part, from, to);
                } catch (NoSuchFileException e) {
                    part.requireLive();
                    throw e;
                }
            }
        }
        entry.offset = entry.length;
        entry.stage = Stage.RECEIVED;
        entry.log(false);
    }

    private void copy(UploadEntry entry, UploadEntry part, FileChannel from, FileChannel to)
            throws IOException {
        long copied = 0;
        while (copied < part.length) {
            part.requireLive();
            if (store.closed) {
                throw new TransferException(
                        Kind.FAILED, "The store is being closed; try again later");
            }
            long moved = from.transferTo(copied, Math.min(COPY_BYTES, part.length - copied), to);
            if (moved <= 0) {
                throw new IOException(
                        "A part has %d bytes instead of %d".formatted(copied, part.length));
            }
            copied += moved;
            entry.reservation.written(to.position());
        }
    }
}
