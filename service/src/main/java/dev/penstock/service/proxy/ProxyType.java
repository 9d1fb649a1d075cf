package dev.penstock.service.proxy;

import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.Function;

/** An interface whose proxy class has been generated; immutable, thread-safe. */
public final class ProxyType<S> {
    private final Class<S> type;
    private final List<String> methods;
    private final MethodHandle constructor;

    ProxyType(Class<S> type, List<String> methods, MethodHandle constructor) {
        this.type = type;
        this.methods = methods;
        this.constructor = constructor;
    }

    /** The names of the methods that a pool serves, sorted, each once. */
    public List<String> methods() {
        return methods;
    }

    /**
     * Creates a proxy.
     *
     * @param description the proxy's {@code toString()}
     * @param targets gives the target of a method's name; called once for each
     */
    public S create(String description, Function<String, ProxyTarget> targets) {
        ProxyTarget[] all = methods.stream().map(targets).toArray(ProxyTarget[]::new);
        try {
            return type.cast(constructor.invoke(all, description));
        } catch (Throwable e) {
            throw new AssertionError("A constructor that only stores its arguments has failed", e);
        }
    }
}
