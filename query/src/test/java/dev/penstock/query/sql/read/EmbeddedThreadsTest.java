package dev.penstock.query.sql.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EmbeddedThreadsTest {
    /** The first step of a virtual thread runs on a platform thread, where it may take long. */
    @Test
    void firstStep_ofAVirtualThread_runsElsewhere() throws Exception {
        try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
            boolean isVirtual =
                    virtual.submit(() ->
                                    new EmbeddedThreads()
                                            .call(() -> Thread.currentThread().isVirtual()))
                            .get(60, TimeUnit.SECONDS);
            assertThat(isVirtual).isFalse();
        }
    }

    @Test
    void step_ofAPlatformThread_staysThere() throws SQLException {
        Thread thread = new EmbeddedThreads().call(Thread::currentThread);
        assertThat(thread).isSameAs(Thread.currentThread());
    }

    @Test
    void step_thatFailsElsewhere_failsHereInTheSameWay() throws Exception {
        CompletableFuture<SQLException> failure = new CompletableFuture<>();
        Thread.ofVirtual()
                .start(() ->
                        failure.complete(
                                assertThrows(
                                        SQLException.class,
                                        () ->
                                                new EmbeddedThreads()
                                                        .call(() -> {
                                                            throw new SQLException("no");
                                                        }))));
        assertThat(failure.get(60, TimeUnit.SECONDS).getMessage()).isEqualTo("no");
    }
}
