package dev.penstock.gateway.response;

import dev.penstock.format.RowFormat;
import dev.penstock.query.Keyset;
import dev.penstock.query.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The header by which a response says that it can be continued where it breaks off, and by which columns: those whose
 * values of the last complete row make {@code after=(..)}, in this order, under the names that they have in the
 * response, percent-encoded.
 */
final class ResumeHeader {
    static final String NAME = "Penstock-Resume-After";

    /** The formats in which a client can tell the last complete row from one that broke off. */
    private static final Set<String> FORMATS = Set.of("csv", "ndjson", "json");

    /** Beyond that a header may be refused on its way. */
    private static final int MAX_LENGTH = 2048;

    private ResumeHeader() {}

    /** Its value; empty where rows come in no order, have no key, or lack a column of the order. */
    static Optional<String> of(Plan plan, RowFormat format) {
        boolean isOrdered = !plan.order().isEmpty() || !plan.slices().isEmpty();
        return isOrdered && FORMATS.contains(format.name())
                ? Keyset.of(plan).flatMap(keyset -> columns(plan, keyset))
                : Optional.empty();
    }

    private static Optional<String> columns(Plan plan, Keyset keyset) {
        List<String> names = new ArrayList<>();
        for (Plan.Order by : keyset.order()) {
            Optional<String> label =
                    plan.items().stream()
                            .filter(item -> item.column().equals(by.column()))
                            .map(Plan.Item::label)
                            .findFirst();
            if (label.isEmpty()) {
                return Optional.empty();
            }
            names.add(RowResponse.encoded(label.get()));
        }
        String all = String.join(",", names);
        boolean fits = names.size() <= Keyset.MAX_COLUMNS && all.length() <= MAX_LENGTH;
        return fits ? Optional.of(all) : Optional.empty();
    }
}
