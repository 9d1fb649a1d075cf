package dev.penstock.service.proxy;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The methods of an interface, read and checked once.
 *
 * @param served those that a proxy hands to its pool, in a stable order
 * @param names the names of these, each once, sorted
 * @param ignored the names of methods without parameters and result that do nothing on a proxy, since others share the
 *     instances: {@link AutoCloseable#close} and {@code finalize}
 */
record ProxyMethods(List<ProxyMethod> served, List<String> names, List<String> ignored) {
    /** Signatures that every object has, which a proxy answers itself. */
    private static final Set<String> OF_OBJECT =
            Set.of("equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;");

    private static final Set<Class<?>> FUTURES =
            Set.of(CompletionStage.class, CompletableFuture.class, Future.class);

    /** Reads the methods of an interface; {@code blocking} marks those that return nothing and are waited for. */
    static ProxyMethods of(Class<?> type, Class<? extends Annotation> blocking) {
        Map<String, List<Method>> bySignature = new LinkedHashMap<>();
        for (Method each : type.getMethods()) {
            if (isServed(type, each)) {
                bySignature.computeIfAbsent(signature(each), _ -> new ArrayList<>()).add(each);
            }
        }
        List<ProxyMethod> served = new ArrayList<>();
        for (List<Method> each : bySignature.values()) {
            Method first = mostSpecific(each);
            for (Method method : each) {
                Method same = method.equals(first) ? null : first;
                served.add(new ProxyMethod(method, kind(type, method, blocking), same));
            }
        }
        served.sort(Comparator.comparing(each -> each.name() + each.type().descriptorString()));
        return new ProxyMethods(
                List.copyOf(served),
                served.stream().map(ProxyMethod::name).distinct().sorted().toList(),
                Arrays.stream(type.getMethods())
                        .filter(each -> isIgnored(type, each))
                        .map(Method::getName)
                        .distinct()
                        .toList());
    }

    /** Says whether calls of a method go to a pool: static methods have no instance, bridges call another method. */
    private static boolean isServed(Class<?> type, Method method) {
        return !Modifier.isStatic(method.getModifiers())
                && !method.isBridge()
                && !OF_OBJECT.contains(
                        method.getName() + ProxyMethod.type(method).descriptorString())
                && !isIgnored(type, method);
    }

    private static boolean isIgnored(Class<?> type, Method method) {
        return method.getParameterCount() == 0
                && method.getReturnType() == void.class
                && !Modifier.isStatic(method.getModifiers())
                && (method.getName().equals("finalize")
                        || (method.getName().equals("close")
                                && AutoCloseable.class.isAssignableFrom(type)));
    }

    private static String signature(Method method) {
        return method.getName()
                + MethodType.methodType(void.class, method.getParameterTypes()).descriptorString();
    }

    /** Returns the method whose return type is the most special one, if one of them is. */
    private static @Nullable Method mostSpecific(List<Method> methods) {
        for (Method each : methods) {
            Class<?> returned = each.getReturnType();
            if (methods.stream().allMatch(o -> o.getReturnType().isAssignableFrom(returned))) {
                return each;
            }
        }
        return null;
    }

    private static CallKind kind(
            Class<?> type, Method method, Class<? extends Annotation> blocking) {
        Class<?> returned = method.getReturnType();
        boolean marked = method.isAnnotationPresent(blocking);
        if (returned == void.class) {
            return marked || method.getDeclaringClass().isAnnotationPresent(blocking)
                    ? CallKind.BLOCKING
                    : CallKind.ONE_WAY;
        }
        if (marked) {
            throw refusal(
                    type,
                    "%s has @%s and returns %s"
                            .formatted(
                                    method.getName(),
                                    blocking.getSimpleName(),
                                    returned.getSimpleName()),
                    "only methods that return void need it, remove it");
        }
        if (FUTURES.contains(returned)) {
            return CallKind.ASYNCHRONOUS;
        }
        if (Future.class.isAssignableFrom(returned)
                || CompletionStage.class.isAssignableFrom(returned)) {
            throw refusal(
                    type,
                    "%s returns %s, a future that a proxy can't make"
                            .formatted(method.getName(), returned.getName()),
                    "declare CompletionStage, CompletableFuture or Future instead");
        }
        return CallKind.BLOCKING;
    }

    /** Checks that the arguments of calls that another thread makes fit into a lambda. */
    void checkCaptured(Class<?> type, boolean shipped) {
        for (ProxyMethod each : served) {
            if ((shipped || each.kind() != CallKind.BLOCKING)
                    && each.slots() > ProxyMethod.MOST_CAPTURED_SLOTS) {
                throw refusal(
                        type,
                        "the arguments of %s take %d slots, and a call that another thread makes has at most %d"
                                .formatted(
                                        each.name(), each.slots(), ProxyMethod.MOST_CAPTURED_SLOTS),
                        "pass an object instead");
            }
        }
    }

    /** Returns the exception that says why an interface can have no proxy, and what helps. */
    static IllegalArgumentException refusal(Class<?> type, String reason, String remedy) {
        return new IllegalArgumentException(
                "Can't make a proxy of %s: %s; %s".formatted(type.getTypeName(), reason, remedy));
    }
}
