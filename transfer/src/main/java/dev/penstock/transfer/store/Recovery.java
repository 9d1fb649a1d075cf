package dev.penstock.transfer.store;

import dev.penstock.transfer.store.UploadDirectory.Description;
import dev.penstock.transfer.store.journal.Journal;
import dev.penstock.transfer.store.journal.JournalRecord;
import dev.penstock.transfer.store.journal.Stage;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * The uploads that a directory has when it is opened, whatever has ended the process before.
 *
 * <p>Within one boot of the machine a file has all that was ever written to it: an upload has the bytes of its file,
 * without those of an append whose digest was not compared. After another boot it has the bytes that were forced, as
 * its journal says, and the rest is cut off.
 */
record Recovery(StoreContext store) {
    /** Takes up all uploads, and removes directories that are not uploads. */
    void run() throws IOException {
        try (DirectoryStream<Path> directories = Files.newDirectoryStream(store.uploads)) {
            for (Path directory : directories) {
                if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
                    tryRecover(directory);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private void tryRecover(Path directory) {
        try {
            recover(
                    new UploadDirectory(store.disk, directory),
                    String.valueOf(directory.getFileName()));
        } catch (IOException | RuntimeException e) {
            StoreContext.LOGGER.log(
                    System.Logger.Level.ERROR,
                    "The upload in " + directory + " can't be read; it is left as it is",
                    e);
        }
    }

    private void recover(UploadDirectory files, String name) throws IOException {
        Optional<Description> description = files.describe();
        if (description.isEmpty() || !description.get().id().equals(name)) {
            files.clear();
            return;
        }
        JournalRecord record = read(files, description.get());
        boolean isMoved =
                record.stage().isComplete()
                        || (record.stage() == Stage.ACCEPTED
                                && !record.target().isEmpty()
                                && !Files.exists(files.data(), LinkOption.NOFOLLOW_LINKS));
        if (isMoved) {
            takeComplete(description.get(), record);
        } else {
            take(files, description.get(), record);
        }
    }

    private JournalRecord read(UploadDirectory files, Description description) throws IOException {
        JournalRecord first =
                new JournalRecord(
                        0,
                        new UUID(0, 0),
                        Stage.RECEIVING,
                        0,
                        description.upload().length().orElse(-1),
                        -1,
                        description.created().toEpochMilli(),
                        0,
                        "");
        try {
            return Journal.read(store.disk, files.journal()).orElse(first);
        } catch (NoSuchFileException _) {
            Journal.create(store.disk, files.journal(), first);
            return first;
        }
    }

    private void takeComplete(Description description, JournalRecord record) {
        long length = record.length();
        String owner = description.upload().owner();
        boolean holds = description.upload().isPartial();
        UploadEntry entry =
                new UploadEntry(
                        store,
                        description,
                        length,
                        holds
                                ? store.reservations.restore(owner, length, length)
                                : store.reservations.none(owner));
        entry.restore(record);
        entry.offset = length;
        store.entries.put(entry.id, entry);
    }

    private void take(UploadDirectory files, Description description, JournalRecord record)
            throws IOException {
        boolean isSameBoot = record.boot().equals(store.boot);
        long there = cut(files, record, isSameBoot);
        long length = record.length();
        UploadEntry entry =
                new UploadEntry(
                        store,
                        description,
                        length,
                        store.reservations.restore(
                                description.upload().owner(), Math.max(length, there), there));
        entry.restore(record);
        entry.offset = there;
        entry.forced = Math.min(record.forced(), there);
        if (there != length) {
            entry.stage = Stage.RECEIVING;
        } else if (record.stage() == Stage.RECEIVING) {
            entry.stage = Stage.RECEIVED;
        }
        if (!isSameBoot || record.unverified() >= 0) {
            entry.log(store.forces());
        }
        store.entries.put(entry.id, entry);
    }

    /** Cuts off the bytes that do not count. */
    private long cut(UploadDirectory files, JournalRecord record, boolean isSameBoot)
            throws IOException {
        try (FileChannel data = store.disk.openToWrite(files.data())) {
            long size = data.size();
            long there = isSameBoot ? size : Math.min(size, record.forced());
            if (record.unverified() >= 0) {
                there = Math.min(there, record.unverified());
            }
            if (record.length() >= 0) {
                there = Math.min(there, record.length());
            }
            if (there < record.forced()) {
                StoreContext.LOGGER.log(
                        System.Logger.Level.ERROR,
                        "%s has %d bytes, but %d were forced to the disk; somebody else has changed it"
                                .formatted(files.data(), size, record.forced()));
            }
            if (size > there) {
                data.truncate(there);
            }
            return there;
        }
    }
}
