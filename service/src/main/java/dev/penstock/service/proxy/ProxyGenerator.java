package dev.penstock.service.proxy;

import static dev.penstock.service.proxy.ProxyMethods.refusal;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A generator of proxy classes; thread-safe. A class is generated once for an interface and kept as long as the
 * interface, except where a lookup is given: then once for each call.
 */
public final class ProxyGenerator {
    private static final AtomicInteger NAMED = new AtomicInteger();

    private final Class<? extends Annotation> blocking;
    private final ClassValue<ProxyType<?>> onCaller = kept(false);
    private final ClassValue<ProxyType<?>> shipped = kept(true);

    /** A generator for which an annotation marks methods that return nothing and are waited for all the same. */
    public ProxyGenerator(Class<? extends Annotation> blocking) {
        this.blocking = blocking;
    }

    /**
     * Generates the proxy class of an interface, or returns the one that there is.
     *
     * @param shipped whether blocking calls are handed over too, because instances own their threads
     * @param lookup the right to define a class that sees the interface; null for what is allowed anyway
     * @throws IllegalArgumentException if there can be no such class; the message says why, and what helps
     */
    @SuppressWarnings("unchecked")
    public <S> ProxyType<S> proxyType(Class<S> type, boolean shipped, @Nullable Lookup lookup) {
        if (lookup != null) {
            return generate(type, shipped, lookup);
        }
        return (ProxyType<S>) (shipped ? this.shipped : onCaller).get(type);
    }

    private ClassValue<ProxyType<?>> kept(boolean shipped) {
        return new ClassValue<>() {
            @Override
            protected ProxyType<?> computeValue(Class<?> type) {
                return generate(type, shipped, null);
            }
        };
    }

    private <S> ProxyType<S> generate(Class<S> type, boolean shipped, @Nullable Lookup given) {
        checkInterface(type);
        ProxyMethods methods = ProxyMethods.of(type, blocking);
        methods.checkCaptured(type, shipped);
        Lookup home = ProxyHome.of(type, methods.served(), given);
        try {
            Lookup made = define(type, methods, shipped, home);
            return new ProxyType<>(
                    type,
                    methods.names(),
                    made.findConstructor(
                            made.lookupClass(),
                            MethodType.methodType(void.class, ProxyTarget[].class, String.class)));
        } catch (ReflectiveOperationException | IllegalArgumentException | LinkageError e) {
            IllegalArgumentException refusal =
                    refusal(
                            type,
                            "the JVM refuses its class (%s)".formatted(e.getMessage()),
                            "use call(..) and run(..), which need none");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** Defines a hidden class where the lookup may, else one with a name, which lives as long as its loader. */
    private static Lookup define(Class<?> type, ProxyMethods methods, boolean shipped, Lookup home)
            throws IllegalAccessException {
        boolean hidden = home.hasFullPrivilegeAccess();
        String packageName = home.lookupClass().getPackageName();
        String simpleName = type.getName().substring(type.getName().lastIndexOf('.') + 1);
        String name =
                (packageName.isEmpty() ? "" : packageName + ".")
                        + simpleName
                        + "$Proxy"
                        + (hidden ? "" : NAMED.incrementAndGet());
        byte[] bytes = new ProxyClass(name, type, methods, shipped).bytes();
        return hidden ? home.defineHiddenClass(bytes, true) : home.in(home.defineClass(bytes));
    }

    private static void checkInterface(Class<?> type) {
        if (!type.isInterface()) {
            throw refusal(
                    type,
                    "it is not an interface",
                    "give the pool an interface that it implements, or use call(..) and run(..), which need none");
        }
        if (type.isSealed()) {
            throw refusal(
                    type,
                    "it is sealed, and a proxy is not among the classes that it permits",
                    "make it non-sealed, or use call(..) and run(..), which need none");
        }
    }
}
