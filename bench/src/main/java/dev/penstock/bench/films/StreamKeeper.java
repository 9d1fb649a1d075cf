package dev.penstock.bench.films;

import dev.penstock.films.Film;
import dev.penstock.query.typed.TypedTable;
import java.util.function.LongSupplier;

/**
 * The films of a typed table.
 *
 * @param size how many there are
 * @param bytes what they take here outside the heap
 */
record StreamKeeper(TypedTable<Film> films, long size, LongSupplier bytes) implements FilmKeeper {
    @Override
    public FilmAsks asks() {
        return new StreamAsks(films, size);
    }

    @Override
    public long offHeapBytes() {
        return bytes.getAsLong();
    }
}
