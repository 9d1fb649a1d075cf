package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** The versions of documents: the next one, and the comparison of the expected one with the one that is there. */
public final class Versions {
    private Versions() {}

    /**
     * Returns the version that a write makes: one more than before, or one of the time, so that a document that is made
     * again after it was deleted gets a greater version than before.
     *
     * @param found the version that is there; null if there is no document
     */
    public static long next(@Nullable Long found, InstantSource clock) {
        return found == null ? Math.max(1, clock.millis() * 1000) : found + 1;
    }

    /**
     * Refuses a write to another version.
     *
     * @param found the version that is there; null if there is no document
     */
    public static void check(String collection, String id, long expected, @Nullable Long found) {
        if (expected == (found == null ? DocumentStore.ABSENT : found)) {
            return;
        }
        String is = found == null ? "does not exist" : "is in version " + found;
        String wanted =
                expected == DocumentStore.ABSENT
                        ? "must not exist yet"
                        : "should be in version " + expected;
        throw new DocumentException(
                Kind.CONFLICT,
                "the document "
                        + id
                        + " of "
                        + collection
                        + " "
                        + is
                        + ", but "
                        + wanted
                        + "; read it again and decide anew");
    }
}
