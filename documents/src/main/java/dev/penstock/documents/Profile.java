package dev.penstock.documents;

/** The ways in which XML is written as JSON. */
public enum Profile {
    /**
     * The friendly and lossy one: no comments, no processing instructions, no white space between elements, and no
     * order among siblings of different names beyond the order of the keys.
     */
    PLAIN,
    /** The one that loses nothing: Canonical XML 1.1 with comments is the same before and after. */
    EXACT
}
