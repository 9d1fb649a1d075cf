package dev.penstock.service.proxy;

import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * A method of an interface, and the body that its proxy gets.
 *
 * @param same the method that this one calls on the proxy instead of the pool, where two methods differ in nothing but
 *     their return types and the other's is the more specific one
 */
record ProxyMethod(Method method, CallKind kind, @Nullable Method same) {
    /** The most arguments, in slots, of a call that is captured: the JVM's 255 less those that a lambda takes. */
    static final int MOST_CAPTURED_SLOTS = 250;

    String name() {
        return method.getName();
    }

    MethodType type() {
        return type(method);
    }

    MethodTypeDesc descriptor() {
        return descriptor(method);
    }

    static MethodTypeDesc descriptor(Method method) {
        return type(method).describeConstable().orElseThrow();
    }

    /** The number of slots that the arguments take: two for a long or a double, one for any other. */
    int slots() {
        int slots = 0;
        for (Class<?> each : method.getParameterTypes()) {
            slots += each == long.class || each == double.class ? 2 : 1;
        }
        return slots;
    }

    static MethodType type(Method method) {
        return MethodType.methodType(method.getReturnType(), method.getParameterTypes());
    }
}
