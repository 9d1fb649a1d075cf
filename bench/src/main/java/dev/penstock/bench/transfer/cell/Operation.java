package dev.penstock.bench.transfer.cell;

/** The four things that the article measures, with its figures: whole, and in chunks. */
enum Operation {
    SERVER_READS("Server reads a request", 500, 8845, 14, 2862),
    SERVER_RETURNS("Server returns a response", 505, 3889, 12, 1796),
    CLIENT_SENDS("Client sends a request", 500, 3916, 11, 2613),
    CLIENT_RECEIVES("Client receives a response", 490, 8621, 10, 1645);

    private final String label;
    private final int wholeMegabytes;
    private final int wholeMilliseconds;
    private final int chunkedMegabytes;
    private final int chunkedMilliseconds;

    Operation(
            String label,
            int wholeMegabytes,
            int wholeMilliseconds,
            int chunkedMegabytes,
            int chunkedMilliseconds) {
        this.label = label;
        this.wholeMegabytes = wholeMegabytes;
        this.wholeMilliseconds = wholeMilliseconds;
        this.chunkedMegabytes = chunkedMegabytes;
        this.chunkedMilliseconds = chunkedMilliseconds;
    }

    /** Returns whether the server is the measured side. */
    boolean isOfServer() {
        return this == SERVER_READS || this == SERVER_RETURNS;
    }

    /** Returns whether the measured side writes a file of what comes. */
    boolean isReading() {
        return this == SERVER_READS || this == CLIENT_RECEIVES;
    }

    /** The article's memory, in MB, and time, in milliseconds, as a cell. */
    String inArticle(boolean inChunks) {
        return inChunks
                ? "%d, %,d".formatted(chunkedMegabytes, chunkedMilliseconds)
                : "%d, %,d".formatted(wholeMegabytes, wholeMilliseconds);
    }

    @Override
    public String toString() {
        return label;
    }
}
