package dev.penstock.bench.sums;

/** The questions, each of which has to look at all rows of a column or more. */
enum SumsQuestion {
    SUM_OF_INTS("numbers of the readings, summed"),
    SUM_OF_DOUBLES("levels, summed"),
    SUM_OF_SOME("visits of a tenth of the stations, summed"),
    GROUPS_IN_ORDER("readings and levels of each hour"),
    GROUPS_OF_INTS("readings and visits of each station"),
    GROUPS_OF_DOUBLES("readings and levels of each station");

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
