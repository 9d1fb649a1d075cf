package dev.penstock.bench.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The child's end of the line to {@link Child}: orders come on standard input, one a line, and each is answered by one line
 * on standard output. What anything else prints goes to standard error, which is the child's log. At the end of the input,
 * which is also what a parent that was killed leaves behind, the JVM ends.
 */
public final class Orders {
    /** Answers an order, of which it gets what follows the verb. */
    public interface Order {
        Answer carryOut(Answer arguments) throws Exception;
    }

    private final PrintStream answers;
    private final Map<String, Order> orders = new LinkedHashMap<>();

    public Orders() {
        answers = System.out;
        System.setOut(System.err);
    }

    public Orders on(String verb, Order order) {
        orders.put(verb, order);
        return this;
    }

    /** Says that the child is ready, and carries out orders until there are no more. */
    public void serve(Answer ready) throws IOException {
        say("ready " + ready.line());
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            say(answer(line));
        }
        // Threads of a server that ran out of memory would keep the JVM; the parent does not wait
        // long for what is done at its end.
        System.exit(0);
    }

    private String answer(String line) {
        int space = line.indexOf(' ');
        String verb = space < 0 ? line : line.substring(0, space);
        try {
            Order order = orders.get(verb);
            if (order == null) {
                return "failed no such order: " + verb;
            }
            return "done "
                    + order.carryOut(Answer.parse(space < 0 ? "" : line.substring(space))).line();
        } catch (Exception | OutOfMemoryError e) {
            e.printStackTrace();
            return "failed " + e.toString().replace('\n', ' ').replace('\r', ' ');
        }
    }

    private void say(String line) {
        answers.println(line);
        answers.flush();
    }
}
