package dev.penstock.bench.child;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.io.Serializable;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The child's end of the line to {@link Child}. Objects come serialized on standard input, one a line: first a {@link
 * Child.Starter}, then {@link Child.Task}s, and each is answered by one line on standard output. Anything else that is
 * printed goes to standard error, which is the child's log. At the end of the input, which is also what a parent that
 * was killed leaves behind, the JVM ends.
 */
final class ChildMain {
    /** The reply to the starter. */
    static final String STARTED = "started";

    /**
     * The reply to a task.
     *
     * @param number of the task, counted from 1; the starter is the first
     * @param value the result; empty where it failed
     * @param failure why it failed; null if it did not
     */
    record Reply(int number, Object value, @Nullable String failure) implements Serializable {
        /** The number of the reply that says that there are no more. */
        static final int GONE = 0;
    }

    private ChildMain() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream replies = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
        Object started = null;
        int number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            Object value = "";
            String failure = null;
            try {
                Object message = decode(line);
                if (message instanceof Child.Starter<?> starter) {
                    started = starter.start();
                    value = STARTED;
                } else {
                    value = run(message, Objects.requireNonNull(started));
                }
            } catch (Exception | OutOfMemoryError e) {
                e.printStackTrace();
                failure = e.toString();
            }
            replies.println(encode(new Reply(number, value, failure)));
            replies.flush();
        }
        // Threads of a server that ran out of memory would keep the JVM.
        System.exit(0);
    }

    @SuppressWarnings("unchecked") // the parent sends tasks for the object that it had started
    private static Object run(Object task, Object started) throws Exception {
        return ((Child.Task<Object, Object>) task).run(started);
    }

    static String encode(Serializable object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }

    static Object decode(String line) throws IOException, ClassNotFoundException {
        byte[] bytes = Base64.getDecoder().decode(line);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            // Helidon filters what its whole JVM reads; this comes from the parent.
            in.setObjectInputFilter(_ -> ObjectInputFilter.Status.ALLOWED);
            return in.readObject();
        }
    }
}
