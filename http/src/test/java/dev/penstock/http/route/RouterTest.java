package dev.penstock.http.route;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.Exchange;
import dev.penstock.http.Handler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class RouterTest {
    private final Router router = new Router();

    private void add(String path) {
        router.all().add("GET", path, new Named(path), null);
    }

    private record Named(String name) implements Handler {
        @Override
        public void handle(Exchange exchange) {}
    }

    private @Nullable String found(String... segments) {
        Router.Match match = router.match(List.of(segments));
        Router.Route route = match == null ? null : match.route("GET");
        return route != null && route.handler() instanceof Named named ? named.name : null;
    }

    @Test
    void segment_literal_goesBeforeParameterAndRest() {
        List.of("/", "/api", "/api/{table}", "/api/film", "/api/{table}/x", "/files/{name...}")
                .forEach(this::add);
        assertThat(found("")).isEqualTo("/");
        assertThat(found("api")).isEqualTo("/api");
        assertThat(found("api", "film")).isEqualTo("/api/film");
        assertThat(found("api", "actor")).isEqualTo("/api/{table}");
        assertThat(found("api", "a/b")).isEqualTo("/api/{table}");
        assertThat(found("api", "film", "x")).isEqualTo("/api/{table}/x");
        assertThat(found("api", "")).isNull();
        assertThat(found("api", "film", "y")).isNull();
        assertThat(found("files", "a", "b")).isEqualTo("/files/{name...}");
        assertThat(found("files")).isNull();
        assertThat(found("API")).isNull();
    }

    @Test
    void parameters_areFoundByName() {
        add("/{a}/x/{b...}");
        Router.Match match = requireNonNull(router.match(List.of("1", "x", "2", "3")));
        Router.Route route = requireNonNull(match.route("HEAD"));
        assertThat(match.value(route, "a")).isEqualTo("1");
        assertThat(match.value(route, "b")).isEqualTo("2/3");
        assertThatThrownBy(() -> match.value(route, "c"))
                .hasMessage("The route has no path parameter 'c', only [a, b]");
    }

    @Test
    void route_thatMakesNoSense_isRefused() {
        add("/a/{b}");
        for (String path : List.of("a", "/a/{c}", "/{a}/{a}", "/{}", "/{a...}/b")) {
            assertThatThrownBy(() -> add(path))
                    .as(path)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private RouteGroup group(String method, String... segments) {
        return router.group(router.match(List.of(segments)), List.of(segments), method);
    }

    @Test
    void group_ofAPathWithoutRoute_hasTheLongestPrefix() {
        RouteGroup known = router.all().below("/api/known");
        RouteGroup tenant = router.all().below("/api/{tenant}/files");
        RouteGroup inner = tenant.below("/{file}");
        add("/api/known/deep/down/below");
        assertThat(group("", "api", "known", "x")).isSameAs(known);
        assertThat(group("", "api", "known", "files")).isSameAs(tenant);
        assertThat(group("", "api", "known", "files", "x", "y")).isSameAs(inner);
        assertThat(group("", "api", "known", "files", "")).isSameAs(tenant);
        assertThat(group("", "api", "a", "files")).isSameAs(tenant);
        assertThat(group("", "api", "a")).isSameAs(router.all());
        assertThat(group("", "api", "", "files")).isSameAs(router.all());
    }

    @Test
    void group_ofAPathWithRoutesOfSeveral_isThatOfTheMethodAskedAbout() {
        RouteGroup open = router.all().below("");
        RouteGroup closed = router.all().below("");
        open.add("GET", "/x", new Named("read"), null);
        closed.add("PUT", "/x", new Named("write"), null);
        assertThat(group("PUT", "x")).isSameAs(closed);
        assertThat(group("GET", "x")).isSameAs(open);
        assertThat(group("HEAD", "x")).isSameAs(open);
        assertThat(group("DELETE", "x")).isSameAs(router.all());
        assertThat(group("", "x")).isSameAs(router.all());
    }
}
