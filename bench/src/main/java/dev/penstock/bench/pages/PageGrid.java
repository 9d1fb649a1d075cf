package dev.penstock.bench.pages;

import dev.penstock.bench.experiment.Trial;
import dev.penstock.databases.TestDatabase;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The cells on one database with one heap. */
record PageGrid(TestDatabase.Kind kind, String heap, List<PageCell> cells) {
    String title() {
        return Trial.label(kind) + ", heap " + heap;
    }

    List<PageCell> sorted() {
        return cells.stream()
                .sorted(
                        Comparator.<PageCell>comparingInt(cell -> cell.rows)
                                .thenComparingInt(cell -> cell.clients))
                .toList();
    }

    <T> List<T> distinct(Function<PageCell, T> part) {
        return sorted().stream().map(part).distinct().toList();
    }

    List<Integer> clients() {
        return distinct(cell -> cell.clients).stream().sorted().toList();
    }

    /** Returns the cell of a variant, if it survived. */
    Optional<PageCell> survivor(PageVariant variant, int rows, int clients) {
        return cells.stream()
                .filter(cell -> cell.variant.equals(variant))
                .filter(cell -> cell.rows == rows && cell.clients == clients)
                .filter(PageCell::survived)
                .findFirst();
    }
}
