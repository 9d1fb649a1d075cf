package dev.penstock.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConcurrencyLimitsTest {
    /** What a JVM with -Xmx64m and the serial collector calls its maximum. */
    private static final long HEAP_64M = 62 * 1024 * 1024;

    private static final ConnectionAllowance UNLIMITED = ConnectionAllowance.UNLIMITED;

    @Test
    void derive_heapOf64Megabytes_lets128BulkReadsRun() {
        ConcurrencyLimits limits = derive(HEAP_64M, UNLIMITED, null, null);
        assertThat(limits.bulk()).isEqualTo(128);
        assertThat(limits.shortRequests()).isEqualTo(16);
        assertThat(limits.queueLimit()).isGreaterThan(1024);
        assertThat(limits.queueTimeout()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void derive_smallerHeap_takesFewerConnections() {
        ConcurrencyLimits limits = derive(16 * 1024 * 1024, UNLIMITED, null, null);
        assertThat(limits.bulk()).isEqualTo(36);
        assertThat(limits.connections()).isLessThanOrEqualTo(52);
    }

    @Test
    void derive_postgresAsItComes_leavesConnectionsToOthersAndToShortRequests() {
        ConcurrencyLimits limits = derive(HEAP_64M, ConnectionAllowance.of(97, 5), null, null);
        assertThat(limits.connections()).isEqualTo(92 - 9);
        assertThat(limits.shortRequests()).isEqualTo(10);
        assertThat(limits.bulk()).isEqualTo(73);
    }

    @Test
    void derive_anyHeapAndAllowance_leavesBothKindsAConnection() {
        for (int most = 2; most < 300; most++) {
            for (int megabytes = 1; megabytes < 200; megabytes += 7) {
                ConcurrencyLimits limits =
                        derive(
                                megabytes * 1024L * 1024,
                                ConnectionAllowance.of(most, 0),
                                null,
                                null);
                assertThat(limits.bulk()).isPositive();
                assertThat(limits.shortRequests()).isPositive();
                assertThat(limits.connections()).isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void derive_anyHeap_unfinishedHeadsOfAllClientsTakeHalfOfItAtTheMost() {
        for (int megabytes = 1; megabytes < 20_000; megabytes = 2 * megabytes + 1) {
            long heapBytes = megabytes * 1024L * 1024;
            ConcurrencyLimits limits = derive(heapBytes, UNLIMITED, null, null);
            assertThat(limits.clients() * 24L * 1024).isLessThanOrEqualTo(heapBytes / 2);
            assertThat(limits.clients()).isPositive();
            assertThat(limits.clients())
                    .isLessThanOrEqualTo(2 * (limits.connections() + limits.queueLimit()) + 1000);
        }
        assertThat(derive(HEAP_64M, UNLIMITED, null, null).clients()).isBetween(1200, 1365);
    }

    @Test
    void derive_connectionsGiven_areDivided() {
        ConcurrencyLimits limits = derive(HEAP_64M, UNLIMITED, 20, null);
        assertThat(limits.connections()).isEqualTo(20);
        assertThat(limits.bulk()).isEqualTo(18);
    }

    @Test
    void derive_bulkGiven_shortRequestsGetTheRest() {
        assertThat(derive(HEAP_64M, UNLIMITED, 20, 5).shortRequests()).isEqualTo(15);
        assertThat(derive(HEAP_64M, UNLIMITED, null, 5).shortRequests()).isEqualTo(16);
    }

    @Test
    void derive_moreThanTheDatabaseHas_isRefusedWithTheNumbers() {
        ConnectionAllowance few = ConnectionAllowance.of(20, 5);
        assertThatThrownBy(() -> derive(HEAP_64M, few, 16, null))
                .isInstanceOf(StartupException.class)
                .hasMessage(
                        "--connections 16 needs 16 connections, but the database has 15 left for this user: lower"
                                + " --connections, or raise the database's limit");
        assertThatThrownBy(() -> derive(HEAP_64M, few, null, 15))
                .hasMessageContaining("--bulk-reads 15 needs 16 connections");
    }

    @Test
    void derive_outOfBounds_namesOptionAndBounds() {
        assertThatThrownBy(() -> derive(HEAP_64M, UNLIMITED, 1, null))
                .hasMessage("--connections 1 is out of bounds: choose 2 to 10000");
        assertThatThrownBy(() -> derive(HEAP_64M, UNLIMITED, 10, 10))
                .hasMessage("--bulk-reads 10 is out of bounds: choose 1 to 9");
        assertThatThrownBy(() -> new ConcurrencyLimits(1, 1, -1, Duration.ofSeconds(1), 1))
                .hasMessage("--queue-limit -1 is out of bounds: choose 0 to 100000");
        assertThatThrownBy(() -> new ConcurrencyLimits(1, 1, 1, Duration.ofHours(2), 1))
                .hasMessage("--queue-timeout 2h is out of bounds: choose 1ms to 1h");
    }

    private static ConcurrencyLimits derive(
            long heapBytes,
            ConnectionAllowance database,
            @Nullable Integer connections,
            @Nullable Integer bulk) {
        return ConcurrencyLimits.derive(
                heapBytes,
                database,
                new ConcurrencyLimits.Requested(connections, bulk, null, null));
    }
}
