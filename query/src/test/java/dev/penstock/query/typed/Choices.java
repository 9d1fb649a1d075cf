package dev.penstock.query.typed;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * The numbers that a random case is made of, remembered, so that a case that fails is made again of fewer and smaller
 * ones. Zero is to mean the simplest choice.
 */
final class Choices {
    private final List<Integer> made = new ArrayList<>();
    private final List<Integer> given;
    private final Random random;

    private Choices(List<Integer> given, Random random) {
        this.given = given;
        this.random = random;
    }

    static Choices of(Random random) {
        return new Choices(List.of(), random);
    }

    private static Choices again(List<Integer> given) {
        return new Choices(given, null);
    }

    /** A number from 0 to below the bound. */
    int next(int bound) {
        int at = made.size();
        int choice =
                random != null
                        ? random.nextInt(bound)
                        : at < given.size() ? Math.min(given.get(at), bound - 1) : 0;
        made.add(choice);
        return choice;
    }

    boolean flip() {
        return next(2) == 1;
    }

    <T> T of(List<T> values) {
        return values.get(next(values.size()));
    }

    /** The smallest choices found within so many tries with which the case still fails. */
    Choices shrunk(int tries, Predicate<Choices> fails) {
        List<Integer> best = new ArrayList<>(made);
        int left = tries;
        boolean smaller = true;
        while (smaller && left > 0) {
            smaller = false;
            for (int size = Math.max(best.size() / 2, 1); size > 0 && left > 0; size /= 2) {
                for (int at = 0; at + size <= best.size() && left > 0; at++) {
                    List<Integer> shorter = new ArrayList<>(best);
                    shorter.subList(at, at + size).clear();
                    left--;
                    if (fails.test(again(shorter))) {
                        best = shorter;
                        smaller = true;
                    }
                }
            }
            for (int at = 0; at < best.size() && left > 0; at++) {
                for (int value : List.of(0, best.get(at) / 2)) {
                    if (value < best.get(at)) {
                        List<Integer> less = new ArrayList<>(best);
                        less.set(at, value);
                        left--;
                        if (fails.test(again(less))) {
                            best = less;
                            smaller = true;
                        }
                    }
                }
            }
        }
        return again(best);
    }
}
