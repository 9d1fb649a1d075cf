package dev.penstock.bench.sums;

/** The questions, each of which has to look at all rows of a column or more. */
enum SumsQuestion {
    SUM_OF_INTS("visits, summed"),
    SUM_OF_DOUBLES("levels, summed"),
    SUM_OF_SOME("visits of a tenth of the stations, summed"),
    FEW_GROUPS("readings and levels of each hour"),
    MANY_GROUPS("readings and visits of each station");

    /** Stations below this are a tenth of all. */
    static final int SOME_STATIONS = Reading.STATIONS / 10;

    private final String label;

    SumsQuestion(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
