package dev.penstock.snapshot.rows;

import dev.penstock.snapshot.column.CodeRanges;
import dev.penstock.snapshot.index.IndexedColumn;
import dev.penstock.snapshot.memory.HeapReservation;
import dev.penstock.snapshot.work.QueryContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The heap that unions, intersections and complements of large sets of codes take: counted before they are made.
 *
 * @param context of the query that makes them
 */
record CodeSetMemory(QueryContext context) {
    /** Sets of fewer bytes are not counted. */
    private static final int FEW_BYTES = 4096;

    /** A set takes so many times what it is made of, until it is made. */
    private static final int MAKING = 5;

    /** Returns what is made of conditions of which all, or any, are to hold; those on one column are joined. */
    Filter joined(List<Filter> parts, Supplier<Filter> made) {
        if (bytes(parts) < FEW_BYTES) {
            return made.get();
        }
        Map<IndexedColumn, List<CodeRanges>> sets = new HashMap<>();
        collect(parts, sets);
        long bytes = 0;
        for (List<CodeRanges> joined : sets.values()) {
            for (CodeRanges set : joined.size() == 1 ? List.<CodeRanges>of() : joined) {
                bytes += set.bytes();
            }
        }
        return counted(bytes, made);
    }

    /** Returns the bytes of all sets, those of which there is one for a column too. */
    private static long bytes(List<Filter> parts) {
        long bytes = 0;
        for (Filter part : parts) {
            bytes +=
                    switch (part) {
                        case Filter.InCodes(_, _, CodeRanges ranges) -> ranges.bytes();
                        case Filter.All(List<Filter> more) -> bytes(more);
                        case Filter.Any(List<Filter> more) -> bytes(more);
                        case Filter.Constant _, Filter.ByRow _, Filter.Not _ -> 0;
                    };
        }
        return bytes;
    }

    private static void collect(List<Filter> parts, Map<IndexedColumn, List<CodeRanges>> sets) {
        for (Filter part : parts) {
            switch (part) {
                case Filter.InCodes(IndexedColumn column, _, CodeRanges ranges) ->
                        sets.computeIfAbsent(column, _ -> new ArrayList<>()).add(ranges);
                case Filter.All(List<Filter> more) -> collect(more, sets);
                case Filter.Any(List<Filter> more) -> collect(more, sets);
                case Filter.Constant _, Filter.ByRow _, Filter.Not _ -> {}
            }
        }
    }

    /** Returns what is made of the codes that are not in a set. */
    Filter complement(CodeRanges of, Supplier<Filter> made) {
        return counted(of.bytes(), made);
    }

    private Filter counted(long bytes, Supplier<Filter> made) {
        if (bytes < FEW_BYTES) {
            return made.get();
        }
        context.check();
        HeapReservation heap = context.reservation();
        heap.take(MAKING * bytes);
        long kept = 0;
        try {
            Filter filter = made.get();
            kept = bytes;
            return filter;
        } finally {
            heap.giveBack(MAKING * bytes - kept);
        }
    }
}
