package dev.penstock.bench.documents;

import java.util.List;

/** People in one database, on a pool of connections. Thread-safe. Whoever has opened it closes it. */
interface PeopleStore extends AutoCloseable {
    /** Stores a person in a transaction of its own. */
    void insert(String xml) throws Exception;

    /** Stores so many people from a number on, as one does who has many. */
    void load(long from, long count) throws Exception;

    /** Has the database count what its planner goes by, and finish what it has put off. */
    void analyse() throws Exception;

    /** Finds the documents, as XML. */
    List<String> find(PeopleQuestion question, long number) throws Exception;

    /** Returns what it takes on disk with its indexes, in bytes. Nothing is asked of it afterwards. */
    long bytes() throws Exception;

    @Override
    void close();
}
