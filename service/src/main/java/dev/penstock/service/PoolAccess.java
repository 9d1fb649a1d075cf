package dev.penstock.service;

import dev.penstock.service.lane.KeyedTarget;
import dev.penstock.service.lane.Lanes;
import dev.penstock.service.proxy.ProxyGenerator;
import dev.penstock.service.proxy.ProxyTarget;
import dev.penstock.service.proxy.ProxyType;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The typed ways into a pool: its proxies, with and without a key. Thread-safe.
 *
 * @param <S> the service
 */
final class PoolAccess<S> {
    private static final ProxyGenerator PROXIES = new ProxyGenerator(Blocking.class);

    private final Class<S> type;
    private final String name;
    private final @Nullable Lookup lookup;
    private final boolean shipped;
    private final ProxyTarget target;
    private final Function<String, ProxyTarget> targets;
    private final Lanes lanes;
    private volatile @Nullable S proxy;

    /**
     * The ways into a pool.
     *
     * @param target the pool itself
     * @param targets the pool or part of it that serves a method, by its name
     */
    PoolAccess(
            ServicePoolBuilder<S> settings,
            ProxyTarget target,
            Function<String, ProxyTarget> targets,
            Lanes lanes) {
        type = settings.type;
        name = settings.name;
        lookup = settings.lookup;
        shipped = settings.dedicated;
        this.target = target;
        this.targets = targets;
        this.lanes = lanes;
    }

    /** Reads the interface and generates its proxy class, or returns the one that there is. */
    static <S> ProxyType<S> proxyType(Class<S> type, boolean shipped, @Nullable Lookup lookup) {
        try {
            return PROXIES.proxyType(type, shipped, lookup);
        } catch (IllegalArgumentException e) {
            throw new ServiceException(
                    ServiceException.Kind.NO_PROXY, String.valueOf(e.getMessage()), e);
        }
    }

    S proxy() {
        S shared = proxy;
        if (shared == null) {
            shared = create("", targets);
            proxy = shared;
        }
        return shared;
    }

    S proxy(Object key) {
        return create(
                " for the key " + key,
                method -> new KeyedTarget(lanes, key, targets.apply(method)));
    }

    ProxyTarget target(Object key) {
        return new KeyedTarget(lanes, key, target);
    }

    /** Calls the service on the present thread, or on the instance's own where it has one. */
    @SuppressWarnings({"NullAway", "unchecked"})
    <T extends @Nullable Object, X extends Exception> T call(
            String method, ProxyTarget where, ServiceCall<? super S, T, X> call) throws X {
        if (shipped) {
            try {
                return (T) where.await(method, service -> call.call((S) service));
            } catch (Throwable e) {
                throw PoolAccess.<RuntimeException>unchanged(e);
            }
        }
        Object lease = where.borrow(method);
        T result;
        try {
            result = call.call((S) where.service(lease));
        } catch (Throwable e) {
            throw PoolAccess.<RuntimeException>unchanged(where.fail(lease, e));
        }
        where.complete(lease);
        return result;
    }

    /** Throws what a call threw as it is: the compiler has seen that the call throws nothing that is not declared. */
    @SuppressWarnings({"TypeParameterUnusedInFormals", "unchecked"})
    static <E extends Throwable> E unchanged(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private S create(String suffix, Function<String, ProxyTarget> methods) {
        return proxyType(type, shipped, lookup)
                .create("proxy of pool " + name + suffix + " (" + type.getName() + ")", methods);
    }
}
