package dev.penstock.server;

import dev.penstock.server.config.ListenOptions;
import dev.penstock.server.config.ListenPlace;
import dev.penstock.server.config.PenstockVersion;
import dev.penstock.server.operations.Operations;
import dev.penstock.server.page.Example;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The message that tells the user where a server listens and what to open. */
public final class StartMessage {
    private static final int ALIGNED = 58;

    private StartMessage() {}

    /**
     * Prints the message to the standard output.
     *
     * @param what the data that is served
     * @param examples the resources to name beside the first page
     */
    public static void print(
            String what, ListenOptions listen, Application application, List<Example> examples) {
        print(what, "", listen, application, examples);
    }

    /**
     * Prints the message with a line about what is served.
     *
     * @param note the line; empty for none
     */
    public static void print(
            String what,
            String note,
            ListenOptions listen,
            Application application,
            List<Example> examples) {
        List<String> bases = bases(listen, application);
        String base = bases.getFirst();
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        Locale.ROOT,
                        "Penstock %s serves %s (heap %d MB, started in %.1f s)%n%s%n",
                        PenstockVersion.text(),
                        what,
                        Math.round(Runtime.getRuntime().maxMemory() / 1048576.0),
                        ManagementFactory.getRuntimeMXBean().getUptime() / 1e3,
                        note.isEmpty() ? "" : note + System.lineSeparator()));
        line(text, base + "/", "what there is");
        if (application.hasTables()) {
            line(text, base + "/api", "its tables and columns, as JSON");
        }
        int operations = application.operationsPort();
        line(
                text,
                (operations < 0 ? base : base("http", listen.host(), operations))
                        + Operations.METRICS,
                "what it does, for Prometheus; and " + Operations.LIVE + ", " + Operations.READY);
        for (String other : bases.subList(1, bases.size())) {
            line(text, other + "/", "the same");
        }
        for (Example example : examples) {
            line(text, base + example.path(), example.title());
        }
        text.append("\nCtrl-C stops it; running responses finish first.\n");
        System.out.print(text);
        System.out.flush();
    }

    private static List<String> bases(ListenOptions listen, Application application) {
        List<ListenPlace> places = listen.places();
        return IntStream.range(0, places.size())
                .mapToObj(i -> base(places.get(i), application.addresses().get(i)))
                .toList();
    }

    /** Returns the address of a place as a browser takes it; that of a Unix socket as curl does. */
    private static String base(ListenPlace place, SocketAddress address) {
        return address instanceof InetSocketAddress internet
                ? base(place.scheme(), place.host(), internet.getPort())
                : "--unix-socket " + place.socket() + " " + place.scheme() + "://localhost";
    }

    private static void line(StringBuilder text, String url, String what) {
        text.append("  ").append(url);
        text.repeat(' ', Math.max(2, ALIGNED - url.length())).append(what).append('\n');
    }

    /** Returns the address as a browser takes it. */
    static String base(String scheme, String host, int port) {
        String name =
                switch (host) {
                    case "0.0.0.0", "::", "" -> "localhost";
                    default -> host.indexOf(':') >= 0 ? "[" + host + "]" : host;
                };
        return scheme + "://" + name + ":" + port;
    }
}
