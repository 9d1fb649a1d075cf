package dev.penstock.service.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies of every kind of method, in front of a pool that calls at once. */
class ProxyTypeTest {
    private static final ProxyGenerator GENERATOR = new ProxyGenerator(Waits.class);

    /** A mark of methods that return nothing and are waited for. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Waits {}

    /** Every kind of argument and result. */
    public interface EveryType {
        boolean flag(boolean value);

        byte small(byte value);

        short shortNumber(short value);

        char letter(char value);

        int number(int value);

        long large(long value);

        float fraction(float value);

        double precise(double value);

        String text(String value);

        int[] numbers(int[] value);

        String[][] texts(String[][] value);

        <T extends Comparable<T>> T most(List<T> values);

        String joined(String separator, Object... values);

        String mixed(
                int a,
                long b,
                double c,
                String d,
                float e,
                byte f,
                boolean g,
                long h,
                char i,
                short j);
    }

    /** An interface that nobody outside of its package sees. */
    interface Hidden {
        Secret secret(Secret value);
    }

    /** A type that nobody outside of its package sees. */
    static final class Secret {}

    /** A public interface with a type that is not public, captured by a call on another thread. */
    public interface HalfHidden {
        CompletionStage<Secret> secret(Secret value);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void call_everyTypeOfArgument_reachesTheInstanceAndReturns(boolean shipped) {
        EveryType direct = echo(EveryType.class);
        FakeTarget target = new FakeTarget(direct);
        EveryType proxy = proxy(EveryType.class, target, shipped);
        int[] numbers = {1, 2};
        String[][] texts = {{"a"}, {}};

        assertThat(proxy.flag(true)).isTrue();
        assertThat(proxy.small((byte) -128)).isEqualTo((byte) -128);
        assertThat(proxy.shortNumber((short) -3)).isEqualTo((short) -3);
        assertThat(proxy.letter('\uffff')).isEqualTo('\uffff');
        assertThat(proxy.number(Integer.MIN_VALUE)).isEqualTo(Integer.MIN_VALUE);
        assertThat(proxy.large(Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
        assertThat(proxy.fraction(-0f)).isEqualTo(-0f);
        assertThat(proxy.precise(Double.MIN_VALUE)).isEqualTo(Double.MIN_VALUE);
        assertThat(proxy.text("x")).isEqualTo("x");
        assertThat(proxy.numbers(numbers)).isSameAs(numbers);
        assertThat(proxy.texts(texts)).isSameAs(texts);
        assertThat(proxy.mixed(1, 2, 3, "4", 5, (byte) 6, true, 8, '9', (short) 10))
                .isEqualTo("[1, 2, 3.0, 4, 5.0, 6, true, 8, 9, 10]");
        assertThat(target.events)
                .hasSize(shipped ? 12 : 24)
                .startsWith(shipped ? "await flag" : "borrow flag");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @SuppressWarnings("unchecked")
    void call_genericMethodAndVarargs_workAsDirectly(boolean shipped) {
        EveryType service =
                answering(
                        EveryType.class,
                        (_, method, arguments) ->
                                method.getName().equals("most")
                                        ? Collections.max((List<Integer>) arguments[0])
                                        : arguments[0] + Arrays.toString((Object[]) arguments[1]));
        EveryType proxy = proxy(EveryType.class, new FakeTarget(service), shipped);

        assertThat(proxy.most(List.of(3, 9, 1))).isEqualTo(9);
        assertThat(proxy.joined("-", 1, "b")).isEqualTo("-[1, b]");
        assertThat(proxy.joined("-")).isEqualTo("-[]");
    }

    /** Three ways to call. */
    public interface Ways {
        void oneWay(int value) throws IOException;

        @Waits
        void waited(int value) throws IOException;

        CompletionStage<Integer> stage(long a, double b);

        CompletableFuture<Integer> future();

        Future<Integer> plain(String text);

        Integer blocking();
    }

    @Test
    void call_eachKindOfMethod_asksThePoolInItsWay() throws Exception {
        FakeTarget target =
                new FakeTarget(
                        answering(
                                Ways.class,
                                (_, method, _) -> {
                                    Class<?> type = method.getReturnType();
                                    return type == void.class
                                            ? null
                                            : type == Integer.class
                                                    ? (Object) 7
                                                    : CompletableFuture.completedFuture(7);
                                }));
        Ways proxy = proxy(Ways.class, target, false);

        proxy.oneWay(1);
        proxy.waited(2);
        assertThat(proxy.stage(1, 2).toCompletableFuture()).isCompletedWithValue(7);
        assertThat(proxy.future()).isCompletedWithValue(7);
        assertThat(proxy.plain("x").get(60, TimeUnit.SECONDS)).isEqualTo(7);
        assertThat(proxy.blocking()).isEqualTo(7);

        assertThat(target.events)
                .containsExactly(
                        "oneway oneWay",
                        "borrow waited",
                        "complete waited",
                        "stage stage",
                        "stage future",
                        "stage plain",
                        "borrow blocking",
                        "complete blocking");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void call_whatTheInstanceThrows_isThrownAsItIs(boolean shipped) throws Exception {
        for (Throwable thrown :
                List.of(
                        new IOException("declared"),
                        new IllegalStateException("unchecked"),
                        new AssertionError("error"),
                        new Exception("undeclared"),
                        new Throwable("bare"))) {
            FakeTarget target = new FakeTarget(new Failing(thrown));
            Ways proxy = proxy(Ways.class, target, shipped);

            assertThatThrownBy(() -> proxy.waited(1)).isSameAs(thrown);
            assertThatThrownBy(proxy::blocking).isSameAs(thrown);
            proxy.oneWay(1);
            assertThat(proxy.future()).isCompletedExceptionally();
            if (!shipped) {
                assertThat(target.events)
                        .startsWith("borrow waited", "fail waited " + thrown.getMessage());
            }
        }
    }

    /** Marked as a whole. */
    @Waits
    public interface AllWaited {
        void first();

        void second();
    }

    @Test
    void call_markOnTheInterface_makesAllItsMethodsWaited() {
        FakeTarget target = new FakeTarget(answering(AllWaited.class, (_, _, _) -> null));
        AllWaited proxy = proxy(AllWaited.class, target, false);

        proxy.first();
        proxy.second();

        assertThat(target.events)
                .containsExactly(
                        "borrow first", "complete first", "borrow second", "complete second");
    }

    /** Supplies something. */
    public interface Source<T> {
        T get();

        default String twice() {
            return "default " + get() + get();
        }

        static String ofTheInterface() {
            return "static";
        }
    }

    /** Supplies it later: a bridge calls the method below. */
    public interface FutureSource extends Source<CompletableFuture<String>> {
        @Override
        CompletableFuture<String> get();
    }

    /** Returns anything. */
    public interface Wide {
        Object get();
    }

    /** Returns a future. */
    public interface Narrow {
        CompletableFuture<String> get();
    }

    /** Inherits two methods that differ in their return types alone, without a bridge. */
    public interface Both extends Wide, Narrow {}

    @Test
    void call_bridge_isTheMethodThatItBridgesTo() {
        FutureSource service = () -> CompletableFuture.completedFuture("x");
        FakeTarget target = new FakeTarget(service);
        Source<CompletableFuture<String>> proxy = proxy(FutureSource.class, target, false);

        assertThat(proxy.get()).isCompletedWithValue("x");

        assertThat(target.events).containsExactly("stage get");
    }

    @Test
    void call_methodsThatDifferInTheirReturnTypes_areTheMoreSpecialOne() {
        Both service = () -> CompletableFuture.completedFuture("x");
        FakeTarget target = new FakeTarget(service);
        Both proxy = proxy(Both.class, target, false);

        assertThat(((Narrow) proxy).get()).isCompletedWithValue("x");
        assertThat(((Wide) proxy).get()).isInstanceOf(CompletableFuture.class);

        assertThat(target.events).containsExactly("stage get", "stage get");
    }

    @Test
    void call_defaultMethod_runsOnOneInstance() {
        Source<String> service = () -> "x";
        FakeTarget target = new FakeTarget(service);

        assertThat(proxy(Source.class, target, false).twice()).isEqualTo("default xx");

        assertThat(target.events).containsExactly("borrow twice", "complete twice");
        assertThat(Source.ofTheInterface()).isEqualTo("static");
    }

    /** Declares what every object has. */
    @SuppressWarnings("Finalize")
    public interface Declared extends AutoCloseable {
        @Override
        boolean equals(@Nullable Object other);

        @Override
        int hashCode();

        @Override
        String toString();

        void finalize();

        Object clone();

        @Override
        void close();
    }

    @Test
    @SuppressWarnings({"FinalizeCalledExplicitly", "removal"})
    void call_methodsOfObject_areTheProxysOwn() {
        FakeTarget target = new FakeTarget(echo(Declared.class));
        Declared proxy = proxy(Declared.class, target, false);
        Declared other = proxy(Declared.class, target, false);

        assertThat(proxy.equals(proxy)).isTrue();
        assertThat(proxy.equals(other)).isFalse();
        assertThat(proxy.equals(null)).isFalse();
        assertThat(proxy.hashCode()).isEqualTo(System.identityHashCode(proxy));
        assertThat(proxy).hasToString("a proxy");
        proxy.close();
        proxy.finalize();

        assertThat(target.events).as("closing a proxy must not close a shared instance").isEmpty();
        assertThat(proxy.getClass()).isNotEqualTo(Declared.class).isSameAs(other.getClass());
        assertThat(proxy.getClass().isHidden()).isTrue();
    }

    @Test
    void create_packagePrivateInterface_works() {
        Secret secret = new Secret();
        Hidden proxy = proxy(Hidden.class, new FakeTarget(echo(Hidden.class)), false);
        Hidden shipped = proxy(Hidden.class, new FakeTarget(echo(Hidden.class)), true);

        assertThat(proxy.secret(secret)).isSameAs(secret);
        assertThat(shipped.secret(secret)).isSameAs(secret);
    }

    @Test
    void create_publicInterfaceWithHiddenTypes_works() {
        Secret secret = new Secret();
        HalfHidden service = CompletableFuture::completedFuture;

        assertThat(
                        proxy(HalfHidden.class, new FakeTarget(service), false)
                                .secret(secret)
                                .toCompletableFuture())
                .isCompletedWithValue(secret);
    }

    @Test
    @SuppressWarnings("unchecked")
    void create_interfaceOfTheJdk_works() {
        FakeTarget target = new FakeTarget(new ArrayList<>(List.of("b", "a")));
        List<String> proxy = proxy(List.class, target, false);

        assertThat(proxy.get(1)).isEqualTo("a");
        assertThat(proxy.stream().sorted()).containsExactly("a", "b");
        assertThat(target.events).startsWith("borrow get", "complete get");
    }

    @Test
    void create_withALookup_definesTheClassBesideIt() {
        Runnable service = () -> {};
        Runnable proxy =
                GENERATOR
                        .proxyType(Runnable.class, false, MethodHandles.lookup())
                        .create("x", _ -> new FakeTarget(service));

        assertThat(proxy.getClass().getPackage()).isEqualTo(ProxyTypeTest.class.getPackage());
        assertThat(proxy.getClass().isHidden()).isTrue();
    }

    @Test
    void create_severalTargets_eachNameHasItsOwn() {
        FakeTarget first = new FakeTarget(answering(AllWaited.class, (_, _, _) -> null));
        FakeTarget second = new FakeTarget(answering(AllWaited.class, (_, _, _) -> null));
        ProxyType<AllWaited> type = GENERATOR.proxyType(AllWaited.class, false, null);
        AllWaited proxy = type.create("x", name -> name.equals("first") ? first : second);

        proxy.second();

        assertThat(type.methods()).containsExactly("first", "second");
        assertThat(first.events).isEmpty();
        assertThat(second.events).containsExactly("borrow second", "complete second");
    }

    /** Permits nobody but its own. */
    public sealed interface Closed {
        /** The one that is permitted. */
        record Only() implements Closed {}
    }

    /** Returns a future of a kind that only its author can make. */
    public interface OtherFuture {
        Special later();
    }

    /** A future of one's own. */
    public static final class Special extends CompletableFuture<String> {}

    /** Marked without need. */
    public interface Marked {
        @Waits
        int number();
    }

    @Test
    void create_whatCannotHaveAProxy_saysWhyAndWhatHelps() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GENERATOR.proxyType(ArrayList.class, false, null))
                .withMessage(
                        "Can't make a proxy of java.util.ArrayList: it is not an interface; give the pool an interface"
                                + " that it implements, or use call(..) and run(..), which need none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GENERATOR.proxyType(Closed.class, false, null))
                .withMessageContaining(
                        "ProxyTypeTest$Closed: it is sealed, and a proxy is not among")
                .withMessageEndingWith(
                        "make it non-sealed, or use call(..) and run(..), which need none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GENERATOR.proxyType(OtherFuture.class, false, null))
                .withMessageContaining(
                        "later returns dev.penstock.service.proxy.ProxyTypeTest$Special, a future")
                .withMessageEndingWith(
                        "declare CompletionStage, CompletableFuture or Future instead");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GENERATOR.proxyType(Marked.class, false, null))
                .withMessageContaining("number has @Waits and returns int")
                .withMessageEndingWith("remove it");
    }

    @Test
    void create_lookupThatMayNotDefine_saysWhichMay() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        GENERATOR.proxyType(Runnable.class, false, MethodHandles.publicLookup()))
                .withMessageContaining("/publicLookup may not define a class in its package")
                .withMessageEndingWith(
                        "give MethodHandles.lookup() of a class beside the interface");
    }

    static <S> S proxy(Class<S> type, ProxyTarget target, boolean shipped) {
        return GENERATOR.proxyType(type, shipped, null).create("a proxy", _ -> target);
    }

    /** An instance that returns its only argument, or all of them as a text. */
    static <S> S echo(Class<S> type) {
        return answering(
                type,
                (_, _, arguments) ->
                        arguments.length == 1 ? arguments[0] : Arrays.toString(arguments));
    }

    private static <S> S answering(Class<S> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** An instance all of whose methods throw, even what they do not declare. */
    private record Failing(Throwable thrown) implements Ways {
        @Override
        public void oneWay(int value) {
            throw this.<RuntimeException>unchecked();
        }

        @Override
        public void waited(int value) {
            throw this.<RuntimeException>unchecked();
        }

        @Override
        public CompletionStage<Integer> stage(long a, double b) {
            throw this.<RuntimeException>unchecked();
        }

        @Override
        public CompletableFuture<Integer> future() {
            throw this.<RuntimeException>unchecked();
        }

        @Override
        public Future<Integer> plain(String text) {
            throw this.<RuntimeException>unchecked();
        }

        @Override
        public Integer blocking() {
            throw this.<RuntimeException>unchecked();
        }

        @SuppressWarnings({"TypeParameterUnusedInFormals", "unchecked"})
        private <X extends Throwable> X unchecked() throws X {
            throw (X) thrown;
        }
    }
}
