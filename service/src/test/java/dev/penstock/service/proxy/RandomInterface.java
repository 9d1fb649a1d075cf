package dev.penstock.service.proxy;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An interface with random methods, defined beside the tests or by a class loader of its own. */
final class RandomInterface {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private static final List<Class<?>> TYPES =
            List.of(
                    boolean.class,
                    byte.class,
                    short.class,
                    char.class,
                    int.class,
                    long.class,
                    float.class,
                    double.class,
                    Object.class,
                    String.class,
                    int[].class,
                    String[][].class,
                    List.class);

    private static final List<Class<?>> RESULTS =
            List.of(void.class, CompletionStage.class, CompletableFuture.class, Future.class);

    private final Random random;

    RandomInterface(Random random) {
        this.random = random;
    }

    /** Defines an interface that this module's class loader sees, public or not. */
    Class<?> beside() throws IllegalAccessException {
        String name = RandomInterface.class.getPackageName() + ".Random" + NUMBER.incrementAndGet();
        return MethodHandles.lookup()
                .defineClass(bytes(name, random.nextBoolean() ? ClassFile.ACC_PUBLIC : 0));
    }

    /** Defines an interface that this module's class loader does not see. */
    Class<?> elsewhere() throws ClassNotFoundException {
        String name = "elsewhere.Random" + NUMBER.incrementAndGet();
        byte[] bytes = bytes(name, ClassFile.ACC_PUBLIC);
        ClassLoader loader =
                new ClassLoader(RandomInterface.class.getClassLoader()) {
                    @Override
                    protected Class<?> findClass(String wanted) throws ClassNotFoundException {
                        if (!wanted.equals(name)) {
                            throw new ClassNotFoundException(wanted);
                        }
                        return defineClass(name, bytes, 0, bytes.length);
                    }
                };
        return loader.loadClass(name);
    }

    private byte[] bytes(String name, int access) {
        return ClassFile.of()
                .build(
                        ClassDesc.of(name),
                        builder -> {
                            builder.withFlags(
                                    access | ClassFile.ACC_INTERFACE | ClassFile.ACC_ABSTRACT);
                            for (int i = 0; i < 1 + random.nextInt(12); i++) {
                                builder.withMethod(
                                        "m" + random.nextInt(1 + i) + "of" + i,
                                        type(),
                                        ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT,
                                        _ -> {});
                            }
                        });
    }

    private MethodTypeDesc type() {
        List<Class<?>> results = random.nextBoolean() ? TYPES : RESULTS;
        return MethodTypeDesc.of(
                describe(results.get(random.nextInt(results.size()))),
                random.ints(random.nextInt(random.nextInt(10) == 0 ? 120 : 6), 0, TYPES.size())
                        .mapToObj(each -> describe(TYPES.get(each)))
                        .toList());
    }

    private static ClassDesc describe(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    /** Returns a random value of a type, never null for a primitive one. */
    @Nullable Object value(Class<?> type) {
        if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == byte.class) {
            return (byte) random.nextInt();
        } else if (type == short.class) {
            return (short) random.nextInt();
        } else if (type == char.class) {
            return (char) random.nextInt();
        } else if (type == int.class) {
            return random.nextInt();
        } else if (type == long.class) {
            return random.nextLong();
        } else if (type == float.class) {
            return random.nextFloat();
        } else if (type == double.class) {
            return random.nextGaussian();
        } else if (random.nextInt(5) == 0 || type == void.class) {
            return null;
        } else if (type == int[].class) {
            return new int[random.nextInt(3)];
        } else if (type == String[][].class) {
            return new String[random.nextInt(3)][];
        } else if (type == List.class) {
            return List.of(random.nextInt());
        } else if (Future.class.isAssignableFrom(type) || type == CompletionStage.class) {
            return CompletableFuture.completedFuture(random.nextInt());
        }
        return "text " + random.nextInt();
    }
}
