package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.Exchange;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests of how often clients are told of progress. */
final class DraftProgressTest {
    private final List<String> told = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();

    /** Notes the offsets of informational responses, and has nothing else. */
    private Exchange exchange() {
        return (Exchange)
                Proxy.newProxyInstance(
                        Exchange.class.getClassLoader(),
                        new Class<?>[] {Exchange.class},
                        (self, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("inform");
                            String[] headers = (String[]) arguments[1];
                            told.add(arguments[0] + " " + String.join(" ", headers));
                            return self;
                        });
    }

    @Test
    void progress_withinASecond_isToldOnce() {
        DraftProgress progress = new DraftProgress(exchange(), DraftVersion.V6, nanos::get);
        for (int offset = 1; offset <= 20; offset++) {
            nanos.addAndGet(100_000_000);
            progress.accept(offset);
        }
        assertThat(told)
                .containsExactly(
                        "104 Upload-Draft-Interop-Version 6 Upload-Offset 10",
                        "104 Upload-Draft-Interop-Version 6 Upload-Offset 20");
    }

    @Test
    void progress_ofADay_fitsInWhatARequestMayTell() {
        DraftProgress progress = new DraftProgress(exchange(), DraftVersion.V8, nanos::get);
        for (long second = 0; second < Duration.ofDays(1).toSeconds(); second++) {
            nanos.addAndGet(1_000_000_000);
            progress.accept(second);
        }
        assertThat(told).hasSizeBetween(500, 1_000);
    }
}
