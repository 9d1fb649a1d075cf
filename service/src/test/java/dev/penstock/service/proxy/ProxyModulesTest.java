package dev.penstock.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.module.Configuration;
import java.lang.module.ModuleFinder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proxies of interfaces in named modules, which may hide them; the modules are compiled and resolved here. */
class ProxyModulesTest {
    private static final String PACKAGE = "dev.penstock.service.proxy";

    @TempDir static Path folder;

    private static ModuleLayer layer = ModuleLayer.empty();

    @BeforeAll
    static void resolveModules() throws Exception {
        Path service = location(ProxyGenerator.class);
        compile(service, "exported", "exports exported.api;", "public");
        compile(service, "closed", "requires dev.penstock.service;", "public");
        compile(
                service,
                "opened",
                "requires dev.penstock.service; opens opened.api to dev.penstock.service;",
                "");
        compile(service, "unread", "opens unread.api to dev.penstock.service;", "");
        Set<String> names = Set.of("exported", "closed", "opened", "unread");
        Configuration configuration =
                ModuleLayer.boot()
                        .configuration()
                        .resolve(
                                ModuleFinder.of(service, folder.resolve("classes")),
                                ModuleFinder.of(),
                                names);
        ModuleLayer.Controller controller =
                ModuleLayer.defineModulesWithOneLoader(
                        configuration,
                        List.of(ModuleLayer.boot()),
                        ClassLoader.getPlatformClassLoader());
        layer = controller.layer();
        Module here = ProxyModulesTest.class.getModule();
        controller.addExports(
                layer.findModule("dev.penstock.service").orElseThrow(), PACKAGE, here);
        for (String each : names) {
            controller.addOpens(layer.findModule(each).orElseThrow(), each + ".api", here);
        }
    }

    private static Path location(Class<?> type) throws URISyntaxException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }

    private static Class<?> type(String module, String name) throws ClassNotFoundException {
        return layer.findLoader(module).loadClass(module + ".api." + name);
    }

    /** Compiles a module with one package, an interface in it, and a class that gives a lookup. */
    private static void compile(Path service, String module, String directives, String access)
            throws Exception {
        Path sources = Files.createDirectories(folder.resolve("sources").resolve(module));
        Path info =
                Files.writeString(
                        sources.resolve("module-info.java"),
                        "module %s { %s }".formatted(module, directives));
        Path type =
                Files.writeString(
                        sources.resolve("Greeting.java"),
                        "package %s.api; %s interface Greeting { String greet(String name); }"
                                .formatted(module, access));
        Path home =
                Files.writeString(
                        sources.resolve("Home.java"),
                        """
                        package %s.api;
                        public class Home {
                            public static java.lang.invoke.MethodHandles.Lookup lookup() {
                                return java.lang.invoke.MethodHandles.lookup();
                            }
                        }
                        """
                                .formatted(module));
        int result =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-p",
                                service + File.pathSeparator + location(Nullable.class),
                                "-d",
                                folder.resolve("classes").resolve(module).toString(),
                                info.toString(),
                                type.toString(),
                                home.toString());
        assertThat(result).isZero();
    }

    @Test
    void create_exportedInterfaceOfAModuleThatKnowsNothingOfPools_works() throws Exception {
        assertThat(greet("exported", null)).isEqualTo("hello x hidden in " + PACKAGE);
    }

    @Test
    void create_packagePrivateInterfaceThatIsOpened_works() throws Exception {
        assertThat(greet("opened", null)).isEqualTo("hello x named in opened.api");
    }

    @Test
    void create_closedInterfaceWithALookup_works() throws Exception {
        Lookup lookup = (Lookup) type("closed", "Home").getMethod("lookup").invoke(null);

        assertThat(greet("closed", lookup)).isEqualTo("hello x hidden in closed.api");
    }

    @Test
    void create_closedInterface_saysWhatToOpen() {
        assertThatThrownBy(() -> greet("closed", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Can't make a proxy of closed.api.Greeting: it, or a type of its methods, is not public or not"
                                + " exported, and module closed does not open closed.api; export it, or write"
                                + " \"opens closed.api to dev.penstock.service;\" in module-info, or give a class's own"
                                + " lookup with lookup(MethodHandles.lookup())");
    }

    @Test
    void create_interfaceOfAModuleThatDoesNotReadThePool_saysWhatToRequire() {
        assertThatThrownBy(() -> greet("unread", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "Can't make a proxy of unread.api.Greeting: module unread does not read the pool's module;"
                                + " write \"requires dev.penstock.service;\" in its module-info");
    }

    /** Makes a proxy with the layer's own classes, calls it, and returns the answer and where the proxy is defined. */
    private static String greet(String module, @Nullable Lookup lookup) throws Exception {
        Class<?> greeting = type(module, "Greeting");
        ClassLoader loader = greeting.getClassLoader();
        List<String> asked = new ArrayList<>();
        Object service =
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {greeting},
                        (_, _, arguments) -> "hello " + arguments[0]);
        Object target =
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {loader.loadClass(PACKAGE + ".ProxyTarget")},
                        (_, method, _) -> {
                            asked.add(method.getName());
                            return method.getName().equals("complete") ? null : service;
                        });
        Class<?> generator = loader.loadClass(PACKAGE + ".ProxyGenerator");
        Object proxy;
        try {
            Object type =
                    generator
                            .getMethod("proxyType", Class.class, boolean.class, Lookup.class)
                            .invoke(
                                    generator
                                            .getConstructor(Class.class)
                                            .newInstance(Deprecated.class),
                                    greeting,
                                    false,
                                    lookup);
            Function<String, Object> targets = _ -> target;
            proxy =
                    type.getClass()
                            .getMethod("create", String.class, Function.class)
                            .invoke(type, "a proxy", targets);
        } catch (InvocationTargetException e) {
            throw (Exception) e.getCause();
        }
        Method greet = greeting.getMethod("greet", String.class);
        greet.setAccessible(true);
        Object answer = greet.invoke(proxy, "x");
        assertThat(asked).containsExactly("borrow", "service", "complete");
        return "%s %s in %s"
                .formatted(
                        answer,
                        proxy.getClass().isHidden() ? "hidden" : "named",
                        proxy.getClass().getPackageName());
    }
}
