package dev.penstock.service;

/**
 * A maker of service objects that are told about their place in the pool.
 *
 * @param <S> the service
 */
@FunctionalInterface
public interface InstanceFactory<S> {
    /**
     * Makes a service object. Runs on a thread of the pool, never on a caller's, and possibly on several at once. An
     * exception is a failed start: it is tried again with the back-off of the pool's {@link Supervision}.
     */
    S create(InstanceContext context) throws Exception;
}
