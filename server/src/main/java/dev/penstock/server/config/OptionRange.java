package dev.penstock.server.config;

import dev.penstock.server.config.value.DurationConverter;
import java.time.Duration;

/** The check that the value of an option is within its range. */
final class OptionRange {
    private OptionRange() {}

    static int check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new StartupException(
                    option + " " + value + " is out of bounds: choose " + least + " to " + most);
        }
        return value;
    }

    static Duration check(String option, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new StartupException(
                    option
                            + " "
                            + DurationConverter.text(value)
                            + " is out of bounds: choose "
                            + DurationConverter.text(least)
                            + " to "
                            + DurationConverter.text(most));
        }
        return value;
    }
}
