package dev.penstock.bench.films;

/** A way to ask the film store. Used by one thread. */
interface FilmContender extends AutoCloseable {
    /** For the report. */
    String name();

    /** The answer to a query; its text is the same for every contender. */
    Object answer(FilmQuery query) throws Exception;

    /** Reads every film into an object of all its columns, one after the other, and adds up their minutes. */
    long readAll() throws Exception;

    @Override
    void close();
}
