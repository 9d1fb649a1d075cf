package dev.penstock.gateway.request;

import dev.penstock.gateway.problem.Problems;
import dev.penstock.http.Exchange;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The schema that a request asks for by {@code Accept-Profile}, or by {@code Content-Profile} where it has a body. */
public final class Profile {
    private Profile() {}

    /**
     * Refuses a request for another schema than the served one.
     *
     * @throws dev.penstock.http.HttpException 406, with the names of those that there are
     */
    public static void check(Exchange exchange, Schema schema) {
        String header = exchange.method().equals("POST") ? "Content-Profile" : "Accept-Profile";
        Optional<String> wanted = exchange.header(header).map(String::strip);
        if (wanted.isEmpty() || wanted.get().isEmpty()) {
            return;
        }
        List<String> served =
                schema.tables().stream()
                        .map(Table::schema)
                        .filter(Objects::nonNull)
                        .distinct()
                        .toList();
        String name = wanted.get();
        if (served.stream()
                .noneMatch(each -> each.equals(name) || schema.display(each).equals(name))) {
            List<String> shown = served.stream().map(schema::display).toList();
            throw Problems.of(
                            406,
                            "unknown_schema",
                            "Invalid schema: " + ParameterText.shown(name),
                            null,
                            "Only the following schemas are exposed: " + String.join(", ", shown))
                    .with("schemas", shown);
        }
        if (name.chars().allMatch(character -> character > 0x20 && character < 0x7F)) {
            exchange.header("Content-Profile", name);
        }
    }
}
