package dev.penstock.bench.experiment;

import java.util.ArrayList;
import java.util.List;

/**
 * In which order contenders are measured: each once in every repetition, and each repetition starting with another one, so
 * that what changes on the machine meanwhile hits all alike.
 */
public final class Interleaved {
    private Interleaved() {}

    /** The order of one repetition, counted from 0. */
    public static <T> List<T> order(List<T> contenders, int repetition) {
        List<T> order = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            order.add(contenders.get((i + repetition) % contenders.size()));
        }
        return order;
    }
}
