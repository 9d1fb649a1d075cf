package dev.penstock.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The signals of the process: the first TERM or INT asks it to stop in order, the second ends it at once, and HUP asks
 * it to read the schema again. A shutdown hook could do the first, but would never hear of the second, and the exit
 * code would be the signal's. {@code sun.misc.Signal}, of the module {@code jdk.unsupported}, is the one way there is;
 * it is called by reflection, since the compiler warns of each mention and can't be told not to.
 */
public final class StopSignal {
    /** Added to the number of the signal that ended a process, this is its exit code by the shells' convention. */
    private static final int EXIT_BY_SIGNAL = 128;

    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger signals = new AtomicInteger();
    private volatile Runnable onHangUp = () -> {};

    /** Begins to listen. */
    public static StopSignal listen() {
        StopSignal stop = new StopSignal();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Method number = signal.getMethod("getNumber");
            Object listener =
                    Proxy.newProxyInstance(
                            StopSignal.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (proxy, method, arguments) ->
                                    stop.arrived((Integer) number.invoke(arguments[0])));
            for (String name : new String[] {"TERM", "INT"}) {
                listen(handle, signal.getConstructor(String.class).newInstance(name), listener);
            }
            Object hangUps =
                    Proxy.newProxyInstance(
                            StopSignal.class.getClassLoader(),
                            new Class<?>[] {handler},
                            (_, _, _) -> stop.hungUp());
            listen(handle, signal.getConstructor(String.class).newInstance("HUP"), hangUps);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            System.getLogger("dev.penstock.server")
                    .log(System.Logger.Level.WARNING, "Signals will end Penstock at once", e);
        }
        return stop;
    }

    private static void listen(Method handle, Object signal, Object listener)
            throws ReflectiveOperationException {
        try {
            handle.invoke(null, signal, listener);
        } catch (InvocationTargetException e) {
            // The JVM keeps this one for itself, or ignores it: started by nohup, say.
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw e;
            }
        }
    }

    /** Sets what a HUP does; it runs on a thread of its own. */
    void onHangUp(Runnable action) {
        onHangUp = action;
    }

    private Object hungUp() {
        var _ = Thread.ofVirtual().name("penstock-reload").start(onHangUp);
        return this;
    }

    private Object arrived(int signal) {
        if (signals.incrementAndGet() > 1) {
            Runtime.getRuntime().halt(EXIT_BY_SIGNAL + signal);
        }
        asked.countDown();
        return this;
    }

    /** Returns when the first signal has come. */
    public void await() {
        boolean interrupted = false;
        while (true) {
            try {
                asked.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
