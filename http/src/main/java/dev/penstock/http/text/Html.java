package dev.penstock.http.text;

/** The spelling of texts as HTML. */
public final class Html {
    private Html() {}

    /** Returns a text as it stands in an element or a quoted attribute. */
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
