package dev.penstock.server.command;

import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The options that have another name than before: they are refused with the new one. */
final class RenamedOptions {
    private static final Map<String, String> NEW_NAMES =
            Map.of(
                    "--bulk", "--bulk-reads",
                    "--queue", "--queue-limit",
                    "--patience", "--queue-timeout",
                    "--stop-within", "--stop-timeout",
                    "--proxy", "--trusted-proxies");

    private RenamedOptions() {}

    /** Returns what to say of arguments that were refused; empty unless a renamed option is among them. */
    static Optional<String> explain(ParameterException failure) {
        return failure instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream()
                        .map(argument -> argument.split("=", 2)[0])
                        .filter(NEW_NAMES::containsKey)
                        .findFirst()
                        .map(old -> old + " is called " + NEW_NAMES.get(old) + " now")
                : Optional.empty();
    }
}
