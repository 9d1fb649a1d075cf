package dev.penstock.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collections;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies of methods with as many arguments as the JVM allows. */
class ProxyLimitsTest {
    private static final ProxyGenerator GENERATOR = new ProxyGenerator(Deprecated.class);

    @ParameterizedTest
    @ValueSource(ints = {249, 250, 251, 254})
    void call_manyArguments_reachTheInstance(int slots) throws Exception {
        Class<?> type = define("Many" + slots, slots, ConstantDescs.CD_Object);

        assertThat(last(type, slots, false)).isEqualTo(slots - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {249, 250})
    void call_manyCapturedArguments_reachTheInstance(int slots) throws Exception {
        Class<?> type = define("Captured" + slots, slots, ConstantDescs.CD_Object);

        assertThat(last(type, slots, true)).isEqualTo(slots - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {251, 254})
    void create_tooManyCapturedArguments_isRefused(int slots) throws Exception {
        Class<?> type = define("OneWay" + slots, slots, ConstantDescs.CD_void);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> GENERATOR.proxyType(type, false, null))
                .withMessageEndingWith(
                        "OneWay%d: the arguments of many take %d slots, and a call that another thread makes has"
                                        .formatted(slots, slots)
                                + " at most 250; pass an object instead");
    }

    private static Object last(Class<?> type, int slots, boolean shipped) throws Exception {
        Object service =
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, _, arguments) -> arguments[arguments.length - 1]);
        Object proxy =
                GENERATOR.proxyType(type, shipped, null).create("x", _ -> new FakeTarget(service));
        Object[] arguments = new Object[slots];
        Arrays.setAll(arguments, i -> i);
        Method method = type.getMethods()[0];
        return method.invoke(proxy, arguments);
    }

    private static Class<?> define(String name, int slots, ClassDesc result)
            throws IllegalAccessException {
        ClassDesc self = ClassDesc.of(ProxyLimitsTest.class.getPackageName(), name);
        MethodTypeDesc type =
                MethodTypeDesc.of(result, Collections.nCopies(slots, ConstantDescs.CD_Object));
        int flags = ClassFile.ACC_PUBLIC | ClassFile.ACC_ABSTRACT;
        return MethodHandles.lookup()
                .defineClass(
                        ClassFile.of()
                                .build(
                                        self,
                                        builder ->
                                                builder.withFlags(flags | ClassFile.ACC_INTERFACE)
                                                        .withMethod("many", type, flags, _ -> {})));
    }
}
