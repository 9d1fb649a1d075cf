package dev.penstock.service;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The place of an instance in its pool, as its factory and hooks see it, and the owner of the instance's own pools.
 * Valid until the instance is stopped; thread-safe.
 */
public final class InstanceContext {
    private final String poolName;
    private final int index;
    private final Consumer<? super ServiceException> escalation;
    private final List<ServicePool<?>> children = new ArrayList<>();
    private boolean ended;

    /**
     * The place of a service object that is about to be made.
     *
     * @param escalation told when a child of the instance has failed for good
     */
    InstanceContext(String poolName, int index, Consumer<? super ServiceException> escalation) {
        this.poolName = poolName;
        this.index = index;
        this.escalation = escalation;
    }

    /** Returns the number of the instance, from 0; one that takes another's place has the same number. */
    public int index() {
        return index;
    }

    /** Returns the name of the pool. */
    public String poolName() {
        return poolName;
    }

    /**
     * Returns a builder of a pool that this instance owns: a child, to split the work of a call over. Its name is that
     * of the owner's pool, the owner's index, and the simple name of its type.
     *
     * <p>The child is closed when the instance is stopped or restarted: after the last call of the instance, its stop
     * hook and its own closing, the last child that was started first. A child whose instances have all been stopped
     * for good fails its owner with a {@link ServiceException} of kind {@link ServiceException.Kind#STOPPED}: the
     * supervision of the owner's pool decides between restart and stop, and what it would resume is restarted, because
     * the child does not come back by itself.
     *
     * <p>{@code start()} of a builder whose owner has been stopped fails with a {@link ServiceException} of kind
     * {@link ServiceException.Kind#CLOSED}.
     */
    public <C> ServicePoolBuilder<C> pool(Class<C> type, InstanceFactory<? extends C> factory) {
        return ServicePool.of(type, factory)
                .name("%s.%d.%s".formatted(poolName, index, type.getSimpleName()))
                .ownedBy(this);
    }

    /** Takes a child that has been started, or closes it if the instance has ended meanwhile. */
    void adopt(ServicePool<?> child) {
        synchronized (children) {
            if (!ended) {
                children.add(child);
                return;
            }
        }
        child.close();
        throw new ServiceException(
                ServiceException.Kind.CLOSED,
                "Pool %s: its owner, instance %d of pool %s, has been stopped; start children from its factory, its hooks or its calls."
                        .formatted(child.name(), index, poolName));
    }

    /** Notes that a child has no instances left: the owner has failed, unless it has ended. */
    void childFailed(String child, @Nullable Throwable cause) {
        synchronized (children) {
            if (ended) {
                return;
            }
        }
        escalation.accept(
                new ServiceException(
                        ServiceException.Kind.STOPPED,
                        "Pool %s: all instances have been stopped, and so fails their owner, instance %d of pool %s."
                                .formatted(child, index, poolName),
                        cause));
    }

    /** Closes the children, the last one first. No lock is held meanwhile; later calls do nothing. */
    void end() {
        List<ServicePool<?>> closed;
        synchronized (children) {
            ended = true;
            closed = new ArrayList<>(children.reversed());
            children.clear();
        }
        closed.forEach(ServicePool::close);
    }
}
