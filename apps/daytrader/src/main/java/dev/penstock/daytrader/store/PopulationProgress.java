package dev.penstock.daytrader.store;

/** A listener to how far a population is. */
@FunctionalInterface
public interface PopulationProgress {
    /**
     * Is told once in some thousand rows.
     *
     * @param doing such as {@code users}
     * @param percent 0 to 100
     */
    void at(String doing, int percent);
}
