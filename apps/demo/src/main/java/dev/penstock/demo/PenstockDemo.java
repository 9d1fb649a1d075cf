package dev.penstock.demo;

import dev.penstock.server.command.Penstock;
import java.util.List;

/** The command line of {@link Penstock} with the commands {@code demo}, {@code films} and {@code daytrader} added. */
public final class PenstockDemo {
    private PenstockDemo() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] arguments) {
        System.exit(
                Penstock.run(
                        List.of(new DemoCommand(), new FilmsCommand(), new DayTraderCommand()),
                        arguments));
    }
}
