package dev.penstock.service;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link ServicePool}. By default a pool has the simple name of its type, as many instances as there are
 * processors, a queue of 500 calls, five seconds for a call, of which it may wait half, ten seconds for closing, the
 * standard {@link Supervision}, no listener, and keeps figures. Not thread-safe.
 *
 * @param <S> the service
 */
public final class ServicePoolBuilder<S> {
    /** The most instances that a pool can have. */
    public static final int MOST_INSTANCES = 65_536;

    final Class<S> type;
    final InstanceFactory<? extends S> factory;
    String name;
    int min = Runtime.getRuntime().availableProcessors();
    int max = min;
    int queue = 500;
    Duration queueTimeout = Duration.ZERO;
    Duration callTimeout = Duration.ofSeconds(5);
    Duration closeTimeout = Duration.ofSeconds(10);
    boolean drainQueue = true;
    Supervision supervision = Supervision.standard();
    InstanceHook<? super S> onStart = (service, context) -> {};
    InstanceHook<? super S> onStop = (service, context) -> {};
    Duration targetQueueTime = Duration.ZERO;
    Duration shrinkAfter = Duration.ofMinutes(1);
    @Nullable PoolListener listener;
    boolean figures = true;
    MethodHandles.@Nullable Lookup lookup;
    boolean dedicated;

    /** The threads of dedicated instances or of asynchronous calls; 0 for one each, or virtual ones. */
    int threads;

    final PoolParts<S> parts = new PoolParts<>();

    /** The instance that owns the pool, if one does. */
    @Nullable InstanceContext owner;

    ServicePoolBuilder(Class<S> type, InstanceFactory<? extends S> factory) {
        this.type = requireNonNull(type);
        this.factory = requireNonNull(factory);
        this.name = type.getSimpleName();
    }

    /** Names the pool, for messages, logs and figures. Not empty. */
    public ServicePoolBuilder<S> name(String poolName) {
        if (poolName.isEmpty()) {
            throw new IllegalArgumentException(
                    "A pool's name is empty; it needs at least a letter.");
        }
        name = poolName;
        return this;
    }

    /** Sets the number of instances, 1 to {@value #MOST_INSTANCES}. */
    public ServicePoolBuilder<S> size(int instances) {
        return size(instances, instances);
    }

    /**
     * Sets the bounds of the number of instances. The pool starts with the least, grows when calls wait and shrinks
     * when instances have not been needed for the time of {@link #shrinkAfter}.
     *
     * @param least 0 or more
     * @param most 1 to {@value #MOST_INSTANCES}, and not below the least
     */
    public ServicePoolBuilder<S> size(int least, int most) {
        checkSize(name, least, most);
        min = least;
        max = most;
        return this;
    }

    /**
     * Sets how many calls may wait; 0 rejects each call that finds no idle instance. A call that finds the queue full
     * is not rejected if the pool grows for it: it waits for the new instance.
     */
    public ServicePoolBuilder<S> queue(int calls) {
        if (calls < 0) {
            throw new IllegalArgumentException(
                    "Pool " + name + ": a queue of " + calls + " calls; it must be 0 or more.");
        }
        queue = calls;
        return this;
    }

    /**
     * Sets how long a call may wait for an instance. {@link Duration#ZERO}, the default: half of the call timeout, so
     * that a call that has waited long still has time to run. Under overload, calls that begin with little time left
     * end at their deadline, and each of them costs an instance.
     */
    public ServicePoolBuilder<S> queueTimeout(Duration time) {
        queueTimeout = notNegative("queue timeout", time);
        return this;
    }

    /**
     * Sets how long a call may take, its waiting included. {@link Duration#ZERO}: for ever.
     *
     * <p>A call that still waits at its {@linkplain #queueTimeout queue timeout} ends with a
     * {@link CallTimeoutException}. One that runs at its deadline is interrupted, and its instance is replaced; the
     * caller gets the exception when the call has ended.
     */
    public ServicePoolBuilder<S> callTimeout(Duration time) {
        callTimeout = notNegative("call timeout", time);
        return this;
    }

    /** Sets how long {@link ServicePool#close} waits for calls before it interrupts them. Zero interrupts at once. */
    public ServicePoolBuilder<S> closeTimeout(Duration time) {
        closeTimeout = notNegative("close timeout", time);
        return this;
    }

    /** Sets whether calls that wait when the pool is closed are still served (the default), or refused. */
    public ServicePoolBuilder<S> drainQueue(boolean served) {
        drainQueue = served;
        return this;
    }

    /** Sets what becomes of instances whose calls fail. */
    public ServicePoolBuilder<S> supervise(Supervision decisions) {
        supervision = requireNonNull(decisions);
        return this;
    }

    /** Sets an action on each new service object before its first call. An exception is a failed start. */
    public ServicePoolBuilder<S> onStart(InstanceHook<? super S> hook) {
        onStart = requireNonNull(hook);
        return this;
    }

    /**
     * Sets an action on each service object after its last call. A service object that is {@link AutoCloseable} needs
     * none: it is closed after this action.
     */
    public ServicePoolBuilder<S> onStop(InstanceHook<? super S> hook) {
        onStop = requireNonNull(hook);
        return this;
    }

    /**
     * Sets the right to define the proxy's class: the {@code MethodHandles.lookup()} of a class that sees the
     * interface. Needed only when the interface, or a type in its methods, is hidden by its module;
     * {@link ServicePool#proxy} says so.
     */
    public ServicePoolBuilder<S> lookup(MethodHandles.Lookup right) {
        lookup = requireNonNull(right);
        return this;
    }

    /**
     * Gives each instance a platform thread for life, on which it is made, called and stopped: for services that belong
     * to a thread, and for callers that must get away at their deadline from code that no interrupt ends. A blocking
     * call waits for the instance's thread, which costs two switches of threads. A restarted instance gets a new
     * thread.
     */
    public ServicePoolBuilder<S> dedicated() {
        dedicated = true;
        return this;
    }

    /**
     * Sets the number of platform threads that dedicated instances share (instance {@code i} has thread {@code i}
     * modulo the count), or that run asynchronous calls of a pool that is not dedicated. By default each dedicated
     * instance has one of its own, and asynchronous calls run on virtual threads. A call that does not end holds up the
     * other instances of its thread, whose callers get away at their deadlines.
     *
     * @param count 1 to {@value #MOST_INSTANCES}
     */
    public ServicePoolBuilder<S> threads(int count) {
        if (count < 1 || count > MOST_INSTANCES) {
            throw new IllegalArgumentException(
                    "Pool %s: %d threads; it must be 1 to %d."
                            .formatted(name, count, MOST_INSTANCES));
        }
        threads = count;
        return this;
    }

    /**
     * Lets the pool grow only when calls wait longer than this for an instance. {@link Duration#ZERO}, the default: as
     * soon as a call waits.
     */
    public ServicePoolBuilder<S> autoscale(Duration queueTime) {
        targetQueueTime = notNegative("target queue time", queueTime);
        return this;
    }

    /** Sets for how long instances above the least must not have been needed before they are stopped. Positive. */
    public ServicePoolBuilder<S> shrinkAfter(Duration time) {
        if (notNegative("time before shrinking", time).isZero()) {
            throw new IllegalArgumentException(
                    "Pool " + name + ": the time before shrinking is zero; it must be positive.");
        }
        shrinkAfter = time;
        return this;
    }

    /**
     * Splits off a part: a pool of its own for calls of these methods through the proxy, so that rare and slow calls do
     * not keep the frequent ones waiting. It has all settings of this pool except those that are changed for it, and
     * the name of this pool, a dot, and its own. {@link ServicePool#part} gives access to it; it is closed with the
     * pool. Calls that are lambdas run in the pool whose method is called, never in a part.
     *
     * @param settings changes the part's settings, its size above all; it can't be split again
     * @param methods the names of the methods, overloads included; each in one part at most
     */
    public ServicePoolBuilder<S> part(
            String partName, Consumer<ServicePoolBuilder<S>> settings, String... methods) {
        parts.add(name, partName, settings, methods);
        return this;
    }

    /** Sets the observer of calls and instances. */
    public ServicePoolBuilder<S> listener(PoolListener observer) {
        listener = requireNonNull(observer);
        return this;
    }

    /** Sets whether calls are counted and timed; without, those figures are zero. */
    public ServicePoolBuilder<S> figures(boolean kept) {
        figures = kept;
        return this;
    }

    /** Starts the pool. */
    public ServicePool<S> start() {
        ServicePool<S> pool = new ServicePool<>(this);
        if (owner != null) {
            owner.adopt(pool);
        }
        return pool;
    }

    static void checkSize(String pool, int least, int most) {
        if (least < 0 || most < 1 || most > MOST_INSTANCES || least > most) {
            throw new IllegalArgumentException(
                    "Pool %s: %d to %d instances; the least must be 0 or more, the most 1 to %d and not below the least."
                            .formatted(pool, least, most, MOST_INSTANCES));
        }
    }

    /** Returns a builder with these settings, under another name and without parts. */
    ServicePoolBuilder<S> copy(String copyName) {
        ServicePoolBuilder<S> copy = new ServicePoolBuilder<>(type, factory);
        copy.name = copyName;
        copy.min = min;
        copy.max = max;
        copy.queue = queue;
        copy.queueTimeout = queueTimeout;
        copy.callTimeout = callTimeout;
        copy.closeTimeout = closeTimeout;
        copy.drainQueue = drainQueue;
        copy.supervision = supervision;
        copy.onStart = onStart;
        copy.onStop = onStop;
        copy.targetQueueTime = targetQueueTime;
        copy.shrinkAfter = shrinkAfter;
        copy.listener = listener;
        copy.figures = figures;
        copy.lookup = lookup;
        copy.dedicated = dedicated;
        copy.threads = threads;
        copy.owner = owner;
        return copy;
    }

    ServicePoolBuilder<S> ownedBy(InstanceContext instance) {
        owner = instance;
        return this;
    }

    private Duration notNegative(String what, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "Pool "
                            + name
                            + ": the "
                            + what
                            + " is "
                            + time
                            + "; it must not be negative.");
        }
        return time;
    }

    /** The parts into which a pool is to be split, as its builder collects them. Not thread-safe. */
    static final class PoolParts<S> {
        private final Map<String, Consumer<ServicePoolBuilder<S>>> settings = new LinkedHashMap<>();
        private final Map<String, String> partOfMethod = new HashMap<>();

        void add(
                String pool,
                String part,
                Consumer<ServicePoolBuilder<S>> changes,
                String... methods) {
            if (part.isEmpty()) {
                throw refusal(pool, part, "has no name", "give it one");
            }
            if (settings.containsKey(part)) {
                throw refusal(pool, part, "exists already", "give each part a name of its own");
            }
            if (methods.length == 0) {
                throw refusal(pool, part, "has no methods", "name those that it serves");
            }
            for (String each : methods) {
                String other = partOfMethod.putIfAbsent(each, part);
                if (other != null) {
                    throw refusal(
                            pool,
                            part,
                            "is to serve " + each + ", and so is the part \"" + other + "\"",
                            "name each method once");
                }
            }
            settings.put(part, requireNonNull(changes));
        }

        boolean isEmpty() {
            return settings.isEmpty();
        }

        /** Returns the part that serves a method; null if the pool itself does. */
        @Nullable String partOf(String method) {
            return partOfMethod.get(method);
        }

        /**
         * Returns the builders of the parts, by their names.
         *
         * @throws IllegalArgumentException if the interface has no such method, or a part is split itself
         */
        Map<String, ServicePoolBuilder<S>> builders(
                ServicePoolBuilder<S> pool, List<String> methods) {
            partOfMethod.forEach((method, part) -> {
                if (!methods.contains(method)) {
                    throw refusal(
                            pool.name,
                            part,
                            "is to serve "
                                    + method
                                    + ", which is no method of "
                                    + pool.type.getName(),
                            "name some of " + String.join(", ", methods));
                }
            });
            Map<String, ServicePoolBuilder<S>> builders = new LinkedHashMap<>();
            settings.forEach((part, changes) -> {
                ServicePoolBuilder<S> builder = pool.copy(pool.name + "." + part);
                changes.accept(builder);
                if (!builder.parts.isEmpty()) {
                    throw refusal(pool.name, part, "is split itself", "make all parts of the pool");
                }
                builders.put(part, builder);
            });
            return builders;
        }

        private static IllegalArgumentException refusal(
                String pool, String part, String reason, String remedy) {
            return new IllegalArgumentException(
                    "Pool %s: the part \"%s\" %s; %s.".formatted(pool, part, reason, remedy));
        }
    }
}
