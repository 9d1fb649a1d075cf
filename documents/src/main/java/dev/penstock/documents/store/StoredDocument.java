package dev.penstock.documents.store;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** A document as a store holds it: its id, its version, and its JSON. */
public final class StoredDocument {
    private final String id;
    private final long version;
    private final Supplier<InputStream> json;

    public StoredDocument(String id, long version, Supplier<InputStream> json) {
        this.id = id;
        this.version = version;
        this.json = json;
    }

    public static StoredDocument of(String id, long version, String json) {
        return new StoredDocument(
                id, version, () -> new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** Its id, unique in the collection. */
    public String id() {
        return id;
    }

    /** Its version, which grows with every write. */
    public long version() {
        return version;
    }

    /** Opens its JSON in UTF-8, whose keys may be in another order than they came. The caller closes it. */
    public InputStream json() {
        return json.get();
    }
}
