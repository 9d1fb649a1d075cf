package dev.penstock.bench.pages;

import dev.penstock.bench.client.Load;

/**
 * A way to make the page.
 *
 * @param name as it is shown
 * @param path what is asked, with a question mark and everything but the number of rows
 */
record PageVariant(String name, String path) {
    static final PageVariant STREAMING = new PageVariant("streaming", "/presidents?");
    static final PageVariant LOCAL = new PageVariant("local", "/local?");
    static final PageVariant REMOTE = new PageVariant("remote", "/remote?");
    static final PageVariant LAZY = new PageVariant("lazy", "/lazy?");

    /** What is there once in a row of the page, and not in its head. */
    static final String ROW_MARKER = "<td class=\"picture\"";

    /** The footer's times have more or fewer digits. */
    private static final int SLACK = 48;

    public String path(int rows) {
        return path + "rows=" + rows;
    }

    /** What a whole page is, from one that was got and checked. */
    public static Load.Expected expected(byte[] page, int rows) {
        String text = new String(page, java.nio.charset.StandardCharsets.ISO_8859_1);
        int found = text.split(ROW_MARKER, -1).length - 1;
        if (found != rows || !text.endsWith("</html>\n")) {
            throw new IllegalStateException(
                    "the page of " + rows + " rows has " + found + ", or no end");
        }
        return new Load.Expected(
                page.length - SLACK, page.length + SLACK, "</html>\n", ROW_MARKER, 0);
    }
}
