package dev.penstock.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Generated proxies of random interfaces beside direct calls of the same instance. */
class ProxyDifferentialTest {
    private static final int INTERFACES = 300;

    private static final ProxyGenerator GENERATOR = new ProxyGenerator(Unused.class);

    /** A mark that no random interface has. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Unused {}

    /** Arguments as an instance got them, and its answer. */
    private record Call(String method, List<@Nullable Object> arguments) {}

    @Test
    void call_randomInterfaces_isAsADirectCall() throws Exception {
        long seed = Long.getLong("penstock.seed", new Random().nextLong());
        Random random = new Random(seed);
        RandomInterface interfaces = new RandomInterface(random);
        for (int i = 0; i < INTERFACES; i++) {
            Class<?> type = random.nextBoolean() ? interfaces.beside() : interfaces.elsewhere();
            for (boolean shipped : new boolean[] {false, true}) {
                compare(
                        type,
                        shipped,
                        interfaces,
                        random,
                        "-Dpenstock.seed=" + seed + ", interface " + i);
            }
        }
    }

    private static void compare(
            Class<?> type, boolean shipped, RandomInterface interfaces, Random random, String which)
            throws Exception {
        List<Call> seen = new ArrayList<>();
        List<@Nullable Object> answers = new ArrayList<>();
        Object direct =
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            seen.add(new Call(method.getName(), list(arguments)));
                            Object answer = answers.getLast();
                            if (answer instanceof Throwable thrown) {
                                throw thrown;
                            }
                            return answer;
                        });
        Object proxy =
                GENERATOR.proxyType(type, shipped, null).create(which, _ -> new FakeTarget(direct));
        for (Method each : type.getMethods()) {
            each.setAccessible(true);
            @Nullable Object[] arguments =
                    Arrays.stream(each.getParameterTypes()).map(interfaces::value).toArray();
            boolean fails = random.nextInt(4) == 0;
            answers.add(fails ? new IllegalStateException(which) : answer(each, interfaces));

            Object expected = outcome(each, direct, arguments);
            Object actual = outcome(each, proxy, arguments);

            assertThat(seen).as(which).hasSize(2);
            assertThat(seen.get(1)).as(which).isEqualTo(seen.get(0));
            for (int i = 0; i < arguments.length; i++) {
                if (!each.getParameterTypes()[i].isPrimitive()) {
                    assertThat(seen.get(1).arguments().get(i)).as(which).isSameAs(arguments[i]);
                }
            }
            if (each.getReturnType() != void.class) {
                assertThat(actual).as(which + ", " + each).isEqualTo(expected);
            } else {
                assertThat(actual).as(which + ", one-way").isNull();
            }
            seen.clear();
        }
    }

    private static List<@Nullable Object> list(@Nullable Object @Nullable [] arguments) {
        List<@Nullable Object> list = new ArrayList<>();
        if (arguments != null) {
            Collections.addAll(list, arguments);
        }
        return list;
    }

    private static @Nullable Object answer(Method method, RandomInterface interfaces) {
        Object answer = interfaces.value(method.getReturnType());
        return answer == null && isFuture(method) ? CompletableFuture.completedFuture("x") : answer;
    }

    private static boolean isFuture(Method method) {
        return method.getReturnType().getPackageName().equals("java.util.concurrent");
    }

    /** Returns a call's result, a future's value or failure instead of the future, or what was thrown. */
    private static @Nullable Object outcome(
            Method method, Object service, @Nullable Object[] arguments)
            throws IllegalAccessException, InterruptedException {
        try {
            Object result = method.invoke(service, arguments);
            return result instanceof Future<?> future ? future.get() : result;
        } catch (InvocationTargetException | ExecutionException e) {
            return e.getCause();
        }
    }
}
