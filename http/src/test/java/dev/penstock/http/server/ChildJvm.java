package dev.penstock.http.server;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Commands that start a class of the tests in a JVM of its own, which sees as many processors as this one and compiles
 * as well.
 */
public final class ChildJvm {
    private ChildJvm() {}

    /**
     * The command that starts a class with this JVM's class path.
     *
     * @param options of the JVM, such as {@code -Xmx64m}
     */
    public static List<String> command(
            List<String> options, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(inherited());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The options of this JVM for those that it starts: how many processors it sees, and how well it compiles. */
    public static List<String> inherited() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument ->
                        argument.startsWith("-XX:ActiveProcessorCount=")
                                || argument.startsWith("-XX:TieredStopAtLevel="))
                .toList();
    }
}
