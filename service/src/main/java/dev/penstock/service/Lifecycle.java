package dev.penstock.service;

import dev.penstock.service.roster.InstanceLifecycle;
import dev.penstock.service.thread.InstanceThread;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The service objects of a pool: the user's code for their start and stop, the supervision of their failures, and what
 * the listener and the pool's owner are told. Thread-safe.
 */
final class Lifecycle<S> implements InstanceLifecycle<ServiceInstance<S>> {
    private static final System.Logger LOG = System.getLogger("dev.penstock.service");

    private final PoolSettings<S> settings;

    Lifecycle(PoolSettings<S> settings) {
        this.settings = settings;
    }

    @Override
    public ServiceInstance<S> create(int index) {
        return new ServiceInstance<>(index);
    }

    /** Makes a service object, on the instance's own thread if it has one. */
    @Override
    public @Nullable Throwable start(ServiceInstance<S> instance, Consumer<Throwable> escalation) {
        InstanceThread thread = settings.threads().of(instance.index());
        if (thread == null) {
            return startHere(instance, escalation);
        }
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        try {
            thread.executeAndWait(() -> failure.set(startHere(instance, escalation)));
        } catch (Throwable e) { // there may be no more threads to have
            failure.set(e);
            failed(instance.index(), e);
        }
        if (failure.get() == null) {
            instance.thread = thread;
        } else {
            thread.end();
        }
        return failure.get();
    }

    private @Nullable Throwable startHere(
            ServiceInstance<S> instance, Consumer<Throwable> escalation) {
        InstanceContext context =
                new InstanceContext(settings.name(), instance.index(), escalation);
        S service = null;
        try {
            service = settings.factory().create(context);
            settings.onStart().run(service, context);
            instance.service = service;
            instance.context = context;
        } catch (Throwable e) {
            close(service, instance.index());
            end(context, instance.index());
            LOG.log(
                    Level.WARNING,
                    "Pool " + settings.name() + ": instance " + instance.index() + " did not start",
                    e);
            failed(instance.index(), e);
            return e;
        }
        PoolListener listener = settings.listener();
        if (listener != null) {
            listener.instanceStarted(instance.index());
        }
        return null;
    }

    /** Stops a service object, if there is one, and ends the instance's thread. */
    @Override
    public void stop(ServiceInstance<S> instance) {
        InstanceThread thread = instance.thread;
        instance.thread = null;
        if (thread == null) {
            stopHere(instance);
        } else {
            thread.executeAndWait(() -> stopHere(instance));
            thread.end();
        }
    }

    private void stopHere(ServiceInstance<S> instance) {
        S service = instance.service;
        InstanceContext context = instance.context;
        instance.service = null;
        instance.context = null;
        if (service == null || context == null) {
            return;
        }
        try {
            settings.onStop().run(service, context);
        } catch (Throwable e) {
            stopFailed(instance.index(), e);
        }
        close(service, instance.index());
        end(context, instance.index());
    }

    private void close(@Nullable S service, int index) {
        if (service instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Throwable e) {
                stopFailed(index, e);
            }
        }
    }

    private void end(InstanceContext context, int index) {
        try {
            context.end();
        } catch (Throwable e) {
            stopFailed(index, e);
        }
    }

    private void stopFailed(int index, Throwable failure) {
        LOG.log(
                Level.WARNING,
                "Pool " + settings.name() + ": instance " + index + " did not stop as it should",
                failure);
        failed(index, failure);
    }

    private void failed(int index, Throwable failure) {
        PoolListener listener = settings.listener();
        if (listener != null) {
            listener.instanceFailed(index, failure);
        }
    }

    @Override
    public boolean isFinal(Throwable failure) {
        return settings.supervision().directive(failure) == Supervision.Directive.STOP;
    }

    @Override
    public boolean mayRestart(ServiceInstance<S> instance) {
        return instance.mayRestart(settings.supervision(), System.nanoTime());
    }

    @Override
    public long delay(ServiceInstance<S> instance, boolean ofStart) {
        if (ofStart) {
            instance.failures = Math.max(1, instance.failures);
        }
        return instance.nextDelay(settings.supervision().backoff());
    }

    @Override
    public void restarted(ServiceInstance<S> instance, Throwable failure) {
        PoolListener listener = settings.listener();
        if (listener != null) {
            listener.instanceRestarted(instance.index(), failure);
        }
    }

    @Override
    public void stopped(ServiceInstance<S> instance) {
        PoolListener listener = settings.listener();
        if (listener != null) {
            listener.instanceStopped(instance.index());
        }
    }

    @Override
    public void resized(int size, int min, int max) {
        PoolListener listener = settings.listener();
        if (listener != null) {
            listener.resized(size, min, max);
        }
    }

    /** Tells the instance that owns the pool that a child of its has failed. */
    @Override
    public void failed(@Nullable Throwable lastFailure) {
        InstanceContext owner = settings.owner();
        if (owner != null) {
            owner.childFailed(settings.name(), lastFailure);
        }
    }
}
