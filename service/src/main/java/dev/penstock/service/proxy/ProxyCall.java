package dev.penstock.service.proxy;

import org.jspecify.annotations.Nullable;

/** A call of one method with its arguments, to be made on a service object. */
@FunctionalInterface
public interface ProxyCall {
    @Nullable Object call(Object service) throws Throwable;
}
