package dev.penstock.documents.store;

/** The ids that every store can hold and orders alike: printable characters of ASCII without the space. */
public final class DocumentIds {
    private static final int MOST_CHARACTERS = 200;

    private DocumentIds() {}

    /** Refuses what is no id. */
    public static void check(String id) {
        boolean fits = !id.isEmpty() && id.length() <= MOST_CHARACTERS;
        if (!fits || !id.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
            throw new IllegalArgumentException(
                    "\""
                            + (fits ? id : id.substring(0, Math.min(20, id.length())) + "…")
                            + "\" is no id of a document: use 1 to "
                            + MOST_CHARACTERS
                            + " printable characters of ASCII without spaces");
        }
    }
}
