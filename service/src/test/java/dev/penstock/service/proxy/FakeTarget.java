package dev.penstock.service.proxy;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A pool of one instance that calls it at once, and writes down what a proxy asks for. */
final class FakeTarget implements ProxyTarget {
    private final Object service;
    final List<String> events = new ArrayList<>();

    FakeTarget(Object service) {
        this.service = service;
    }

    @Override
    public Object borrow(String method) {
        events.add("borrow " + method);
        return method;
    }

    @Override
    public Object service(Object lease) {
        return service;
    }

    @Override
    public void complete(Object lease) {
        events.add("complete " + lease);
    }

    @Override
    public Throwable fail(Object lease, Throwable failure) {
        events.add("fail " + lease + " " + failure.getMessage());
        return failure;
    }

    @Override
    public void oneway(String method, ProxyCall call) {
        events.add("oneway " + method);
        try {
            call.call(service);
        } catch (Throwable e) {
            events.add("fail " + method + " " + e.getMessage());
        }
    }

    @Override
    public CompletableFuture<@Nullable Object> async(String method, ProxyCall call) {
        throw new AssertionError("Proxies call stage(..)");
    }

    @Override
    @SuppressWarnings("unchecked")
    public CompletableFuture<@Nullable Object> stage(String method, ProxyCall call) {
        events.add("stage " + method);
        try {
            Object result = requireNonNull(call.call(service));
            return ((CompletionStage<@Nullable Object>) result).toCompletableFuture();
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public @Nullable Object await(String method, ProxyCall call) throws Throwable {
        events.add("await " + method);
        return call.call(service);
    }
}
