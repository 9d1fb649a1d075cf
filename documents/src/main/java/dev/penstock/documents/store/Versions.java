package dev.penstock.documents.store;

import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import org.jspecify.annotations.Nullable;

/** The comparison of the version that a writer expects with the one that is there. */
public final class Versions {
    private Versions() {}

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
