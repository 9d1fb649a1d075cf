package dev.penstock.bench.films;

/** Something that keeps the films and answers questions about them, until its process ends. */
interface FilmKeeper {
    /** What a thread asks with; another one for each thread. */
    FilmAsks asks() throws Exception;

    /** What it keeps in this process outside the JVM's heap, in bytes. */
    long offHeapBytes() throws Exception;

    /** Those that are compared, in the order in which they are shown. */
    enum Kind {
        PENSTOCK("Penstock", false, 100, 300),
        MARIADB("MariaDB", true, 0, 0),
        POSTGRESQL("PostgreSQL", true, 0, 0),
        H2("H2", false, 1500, 0),
        DUCKDB("DuckDB", false, 0, 300),
        LIST("List", false, 700, 0),
        CQENGINE("CQEngine", false, 2500, 0);

        /** A heap without films. */
        private static final long EMPTY_MEGABYTES = 256;

        private final String label;
        private final boolean isServer;
        private final long heapBytesPerFilm;
        private final long outsideBytesPerFilm;

        Kind(String label, boolean isServer, long heapBytesPerFilm, long outsideBytesPerFilm) {
            this.label = label;
            this.isServer = isServer;
            this.heapBytesPerFilm = heapBytesPerFilm;
            this.outsideBytesPerFilm = outsideBytesPerFilm;
        }

        /** For the report. */
        String label() {
            return label;
        }

        /** Whether it is a database's server, which others' films come from as well. */
        boolean isServer() {
            return isServer;
        }

        /** How large its heap is to be. */
        long heapMegabytes(long films) {
            return EMPTY_MEGABYTES + heapBytesPerFilm * films / 1_000_000;
        }

        /** What the process takes in all, about. */
        long megabytes(long films) {
            return heapMegabytes(films) + outsideBytesPerFilm * films / 1_000_000;
        }
    }
}
