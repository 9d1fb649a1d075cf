package dev.penstock.documents.format;

import org.jspecify.annotations.Nullable;

/** A receiver of nodes that also wants to know what Canonical XML leaves out. */
public interface XmlHandler extends NodeHandler {
    /** The declaration of the document, before anything else. */
    void declaration(String version, @Nullable String encoding, @Nullable String standalone);

    /**
     * Returns what wants to see all nodes of the document once before this one gets them; null if nothing does. Asked
     * when the declaration is known.
     */
    default @Nullable NodeHandler preview() {
        return null;
    }

    /** A text that was a CDATA section. */
    void cdata(String text);
}
