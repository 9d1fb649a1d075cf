package dev.penstock.bench.documents;

/** A question for one person, which finds one document, or none where there is no such person. */
enum PeopleQuestion {
    PATH("by a path with an index"),
    XPATH("by XPath, with an index"),
    SCAN("by XPath, without an index"),
    SUPERSET("by XPath, one in ten evaluated");

    private final String label;

    PeopleQuestion(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }

    /** Returns whether it asks for the attribute {@code id}, which has an index. */
    boolean asksForId() {
        return this == PATH || this == XPATH;
    }

    /** Returns it for a person as XPath. */
    String xpath(long number) {
        return switch (this) {
            case PATH, XPATH -> "/person[@id = \"%d\"]".formatted(number);
            case SCAN -> "/person[address/street = \"%s\"]".formatted(People.street(number));
            case SUPERSET ->
                    "/person[address/city = \"%s\" and substring-after(name, \" \") = \"%d\"]"
                            .formatted(People.city(number), number);
        };
    }
}
