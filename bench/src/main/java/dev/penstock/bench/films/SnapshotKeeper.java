package dev.penstock.bench.films;

import dev.penstock.films.Film;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Snapshot;

/**
 * The films in Penstock's snapshot.
 *
 * @param size how many there are
 */
record SnapshotKeeper(Snapshot snapshot, long size) implements FilmKeeper {
    static SnapshotKeeper load(Database source, long size) {
        return new SnapshotKeeper(Snapshot.load(source, Film.TABLE), size);
    }

    @Override
    public FilmAsks asks() {
        return new StreamAsks(snapshot.table(Film.TABLE), size);
    }

    @Override
    public long offHeapBytes() {
        return snapshot.memoryUsed();
    }
}
