package dev.penstock.documents.store;

import java.util.regex.Pattern;

/**
 * The names of the tables of one collection. No name of a collection has two underscores in a row, so that no two
 * collections share a table.
 *
 * @param collection the name of the collection
 */
public record CollectionTables(String collection) {
    /** The catalog of collections, of which writers lock one row. */
    public static final String COLLECTIONS = "penstock__collections";

    /** The catalog of entries of path summaries. */
    public static final String ENTRIES = "penstock__entries";

    /** The catalog of declared indexes. */
    public static final String INDEXES = "penstock__indexes";

    private static final Pattern NAME = Pattern.compile("[a-z](?:_?[a-z0-9])*");
    private static final int NAME_LENGTH = 40;

    public CollectionTables {
        if (collection.length() > NAME_LENGTH || !NAME.matcher(collection).matches()) {
            throw new IllegalArgumentException(
                    "\""
                            + collection
                            + "\" is no name of a collection: use at most "
                            + NAME_LENGTH
                            + " lower-case letters, digits and single underscores, a letter first");
        }
    }

    /** The table with one row a document. */
    public String documents() {
        return "doc__" + collection;
    }

    /** The table with the pieces of documents that one value can't hold. */
    public String parts() {
        return documents() + "__parts";
    }

    /** The table with the texts at indexed paths. */
    public String texts() {
        return documents() + "__texts";
    }
}
