package dev.penstock.transfer.client;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A client with short waits and a directory of its own, and the events of its transfers. */
abstract class TransferClientFixture {
    @TempDir Path directory;
    final List<TransferEvent> events = new CopyOnWriteArrayList<>();
    TransferClient client;

    @BeforeEach
    void startClient() {
        client = builder().build();
    }

    TransferClientBuilder builder() {
        return TransferClient.builder()
                .stateDirectory(directory.resolve("state"))
                .backOff(Duration.ofMillis(1), Duration.ofMillis(20));
    }

    TransferOptions options() {
        return TransferOptions.DEFAULT.progress(events::add);
    }

    <T> List<T> events(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @AfterEach
    void closeClient() {
        client.close();
    }
}
