package dev.penstock.bench.pages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.penstock.bench.client.Load;
import dev.penstock.bench.client.LoadDriver;
import dev.penstock.bench.server.ServerUnderTest;
import java.io.IOException;

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
    private static final String ROW_MARKER = "<td class=\"picture\"";

    private static final String END = "</html>\n";

    /** The footer's times have more or fewer digits. */
    private static final int SLACK = 48;

    String path(int rows) {
        return path + "rows=" + rows;
    }

    /** Gets a page and checks it. Returns what a whole page of so many rows is. */
    Load.Expected expected(ServerUnderTest server, int rows)
            throws IOException, InterruptedException {
        byte[] page = LoadDriver.get(server.port(), path(rows));
        String text = new String(page, ISO_8859_1);
        int found = text.split(ROW_MARKER, -1).length - 1;
        if (found != rows || !text.endsWith(END)) {
            throw new IllegalStateException(
                    "the page " + path(rows) + " has " + found + " rows, or no end; see the logs");
        }
        return new Load.Expected(page.length - SLACK, page.length + SLACK, END, ROW_MARKER, 0);
    }

    @Override
    public String toString() {
        return name;
    }
}
