package dev.penstock.bench.pages;

import dev.penstock.bench.report.Words;
import dev.penstock.databases.TestDatabase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** All cells on one database with one heap. Filled by one thread. */
final class PageGrid {
    private final TestDatabase.Kind kind;
    private final String heap;
    private final List<PageCell> cells = new ArrayList<>();

    PageGrid(TestDatabase.Kind kind, String heap) {
        this.kind = kind;
        this.heap = heap;
    }

    void add(List<PageCell> more) {
        cells.addAll(more);
    }

    String title() {
        return Words.database(kind) + ", heap " + heap;
    }

    TestDatabase.Kind kind() {
        return kind;
    }

    String heap() {
        return heap;
    }

    List<PageCell> cells() {
        return cells.stream()
                .sorted(Comparator.comparingInt(PageCell::rows).thenComparingInt(PageCell::clients))
                .toList();
    }

    List<Integer> rows() {
        return cells.stream().map(PageCell::rows).distinct().sorted().toList();
    }

    List<Integer> clients() {
        return cells.stream().map(PageCell::clients).distinct().sorted().toList();
    }

    List<PageVariant> variants() {
        return cells.stream().map(PageCell::variant).distinct().toList();
    }

    Optional<PageCell> cell(PageVariant variant, int rows, int clients) {
        return cells.stream()
                .filter(cell ->
                        cell.variant().equals(variant)
                                && cell.rows() == rows
                                && cell.clients() == clients)
                .findFirst();
    }
}
