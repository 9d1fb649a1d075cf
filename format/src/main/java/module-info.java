import dev.penstock.format.RowFormat;

/** Rows to bytes: from a cursor straight to a channel. */
@org.jspecify.annotations.NullMarked
module dev.penstock.format {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.query;

    exports dev.penstock.format;

    uses RowFormat;
}
