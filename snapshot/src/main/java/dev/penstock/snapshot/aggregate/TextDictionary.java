package dev.penstock.snapshot.aggregate;

import dev.penstock.query.Utf8;
import dev.penstock.snapshot.column.TextColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.memory.LongDictionary;
import dev.penstock.snapshot.memory.SeededHash;
import dev.penstock.snapshot.work.QueryContext;

/**
 * A numbering of the different texts of a column, for whose order there is no memory, from 1 in the order in which they
 * come, by hashing; NULL is 0. Used by one thread.
 */
public final class TextDictionary {
    static final int FIRST_PLACES = 64;
    static final int FIRST_TEXTS = 16;

    private final TextColumn column;
    private final TextColumn.Reader reader;
    private final HeapReservation reservation;
    private final QueryContext context;

    private final SeededHash hash = SeededHash.random();

    /** By hash: the number of a text; 0 where it is free. */
    private int[] places;

    /** The first row of each text, and its hash. */
    private int[] firsts = new int[FIRST_TEXTS];

    private int[] hashes = new int[FIRST_TEXTS];
    private int size;

    /**
     * @param context of the query, which counts what it takes of the heap
     */
    public TextDictionary(TextColumn column, QueryContext context) {
        this.column = column;
        this.context = context;
        reservation = context.reservation();
        reader = column.reader();
        places = reservation.grown(new int[0], FIRST_PLACES);
    }

    public int number(int row) {
        if (column.isNull(row)) {
            return 0;
        }
        Utf8 text = reader.key(row);
        long hashed = hash.of(text.array(), text.offset(), text.length());
        int mark = (int) (hashed >>> Integer.SIZE);
        int mask = places.length - 1;
        int place = mark & mask;
        for (; places[place] != 0; place = (place + 1) & mask) {
            int number = places[place];
            if (hashes[number - 1] == mark && column.isSame(firsts[number - 1], row)) {
                return number;
            }
        }
        places[place] = add(row, mark);
        if (size > places.length / 2) {
            spread();
        }
        return size;
    }

    /** Returns how many places are looked at until every text is found again. */
    public long probes() {
        long probes = 0;
        int mask = places.length - 1;
        for (int number = 1; number <= size; number++) {
            int place = hashes[number - 1] & mask;
            for (probes++; places[place] != number; probes++) {
                place = (place + 1) & mask;
            }
        }
        return probes;
    }

    private int add(int row, int mark) {
        if (size == firsts.length) {
            firsts = reservation.grown(firsts, size * 2L);
            hashes = reservation.grown(hashes, size * 2L);
        }
        firsts[size] = row;
        hashes[size] = mark;
        return ++size;
    }

    private void spread() {
        int more = Math.multiplyExact(places.length, 2);
        reservation.giveBack((long) places.length * Integer.BYTES);
        places = reservation.grown(new int[0], more);
        for (int number = 1; number <= size; number++) {
            if (number % LongDictionary.CHECKED_KEYS == 0) {
                context.check();
            }
            int place = hashes[number - 1] & (more - 1);
            while (places[place] != 0) {
                place = (place + 1) & (more - 1);
            }
            places[place] = number;
        }
    }
}
