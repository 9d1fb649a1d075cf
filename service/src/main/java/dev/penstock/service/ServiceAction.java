package dev.penstock.service;

/**
 * A call of a service that returns nothing.
 *
 * @param <S> the service
 * @param <X> the checked exception that it throws; inferred as {@link RuntimeException} where there is none
 */
@FunctionalInterface
public interface ServiceAction<S, X extends Exception> {
    /** Calls the service, which is used by nothing else meanwhile and must not be kept. */
    void run(S service) throws X;
}
