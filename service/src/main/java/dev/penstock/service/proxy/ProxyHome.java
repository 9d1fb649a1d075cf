package dev.penstock.service.proxy;

import static dev.penstock.service.proxy.ProxyMethods.refusal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The package in which the proxy class of an interface is defined, as a lookup with the right to define it. */
final class ProxyHome {
    private static final Lookup OWN = MethodHandles.lookup();

    private ProxyHome() {}

    /**
     * Finds the package for an interface: the lookup's, if there is one; this package, where it sees all that the
     * interface mentions; the interface's own, where that is allowed.
     */
    static Lookup of(Class<?> type, List<ProxyMethod> methods, @Nullable Lookup given) {
        if (given != null) {
            return checked(type, given);
        }
        OWN.lookupClass().getModule().addReads(type.getModule());
        if (mentioned(type, methods).stream().allMatch(ProxyHome::isVisibleHere)) {
            return OWN;
        }
        return checked(type, inside(type));
    }

    /** Returns all classes that the generated class names. */
    private static Set<Class<?>> mentioned(Class<?> type, List<ProxyMethod> methods) {
        Set<Class<?>> mentioned = new HashSet<>();
        mentioned.add(type);
        for (ProxyMethod each : methods) {
            mentioned.add(element(each.method().getReturnType()));
            for (Class<?> parameter : each.method().getParameterTypes()) {
                mentioned.add(element(parameter));
            }
        }
        return mentioned;
    }

    private static Class<?> element(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.componentType();
        }
        return element;
    }

    private static boolean isVisibleHere(Class<?> type) {
        Module here = OWN.lookupClass().getModule();
        return type.isPrimitive()
                || (Modifier.isPublic(type.getModifiers())
                        && type.getModule().isExported(type.getPackageName(), here)
                        && isSeenBy(OWN.lookupClass().getClassLoader(), type));
    }

    private static boolean isSeenBy(@Nullable ClassLoader loader, Class<?> type) {
        try {
            return Class.forName(type.getName(), false, loader) == type;
        } catch (ClassNotFoundException | LinkageError _) {
            return false;
        }
    }

    private static Lookup inside(Class<?> type) {
        try {
            return MethodHandles.privateLookupIn(type, OWN);
        } catch (IllegalAccessException e) {
            IllegalArgumentException refusal =
                    refusal(
                            type,
                            "it, or a type of its methods, is not public or not exported, and %s does not open %s"
                                    .formatted(type.getModule(), type.getPackageName()),
                            "export it, or write \"opens %s to %s;\" in module-info, or give a class's own lookup"
                                            .formatted(type.getPackageName(), here())
                                    + " with lookup(MethodHandles.lookup())");
            refusal.initCause(e);
            throw refusal;
        }
    }

    /** Checks that a class that this lookup defines may implement the interface, and call {@link ProxyTarget}. */
    private static Lookup checked(Class<?> type, Lookup lookup) {
        Class<?> beside = lookup.lookupClass();
        ClassLoader loader = beside.getClassLoader();
        if ((lookup.lookupModes() & Lookup.PACKAGE) == 0) {
            throw refusal(
                    type,
                    "the lookup %s may not define a class in its package".formatted(lookup),
                    "give MethodHandles.lookup() of a class beside the interface");
        }
        try {
            lookup.accessClass(type);
        } catch (IllegalAccessException _) {
            throw refusal(
                    type,
                    "the lookup's class %s can't access it".formatted(beside.getTypeName()),
                    "give MethodHandles.lookup() of a class in " + type.getPackageName());
        }
        if (!isSeenBy(loader, ProxyTarget.class) || !isSeenBy(loader, type)) {
            throw refusal(
                    type,
                    "the class loader %s does not see both it and %s".formatted(loader, here()),
                    "give MethodHandles.lookup() of a class that sees both");
        }
        if (!beside.getModule().canRead(ProxyTarget.class.getModule())) {
            throw refusal(
                    type,
                    "%s does not read the pool's module".formatted(beside.getModule()),
                    "write \"requires %s;\" in its module-info".formatted(here()));
        }
        OWN.lookupClass()
                .getModule()
                .addExports(ProxyTarget.class.getPackageName(), beside.getModule());
        return lookup;
    }

    private static String here() {
        Module module = OWN.lookupClass().getModule();
        return module.isNamed() ? module.getName() : "dev.penstock.service";
    }
}
