package dev.penstock.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Changes that wait: who gets them when, and how many there may be. */
class PendingChangesTest {
    private static final ChangedRows ALL = new ChangedRows.All();

    private final PendingChanges pending = new PendingChanges();

    private static ChangedRows keys(int from, int to) {
        Set<List<Object>> keys = new HashSet<>();
        for (int key = from; key < to; key++) {
            keys.add(List.of(key));
        }
        return new ChangedRows.Keys(keys);
    }

    private static VisibleTransactions before(long end, Long... running) {
        return new VisibleTransactions(end, Set.of(running));
    }

    @Test
    void take_transactionsThatEveryoneSees_givesTheirKeysOnce() {
        pending.add(10, 100, Map.of("a", keys(0, 2)));
        pending.add(11, 110, Map.of("a", keys(1, 3), "b", keys(7, 8)));

        PendingChanges.Taken taken = pending.take(before(12));

        assertThat(taken.end()).isEqualTo(110);
        assertThat(taken.tables()).isEqualTo(Map.of("a", keys(0, 3), "b", keys(7, 8)));
        assertThat(pending.isEmpty()).isTrue();
        assertThat(pending.take(before(12))).isEqualTo(new PendingChanges.Taken(null, Map.of()));
    }

    @Test
    void take_behindATransactionThatIsNotSeenYet_leavesItAndTheFollowing() {
        pending.add(10, 100, Map.of("a", keys(0, 1)));
        pending.add(12, 120, Map.of("a", keys(1, 2)));
        pending.add(11, 130, Map.of("a", keys(2, 3)));

        assertThat(pending.take(before(13, 12L)))
                .isEqualTo(new PendingChanges.Taken(100L, Map.of("a", keys(0, 1))));
        assertThat(pending.all()).isEqualTo(Map.of("a", keys(1, 3)));
        assertThat(pending.take(before(12)).end()).isNull();
        assertThat(pending.take(before(13)))
                .isEqualTo(new PendingChanges.Taken(130L, Map.of("a", keys(1, 3))));
    }

    @Test
    void add_asManyKeysAsMayWait_tellsThem() {
        pending.add(10, 100, Map.of("a", keys(0, 50_000)));
        pending.add(11, 110, Map.of("a", keys(50_000, ChangeFeed.MOST_KEYS)));

        assertThat(pending.all()).isEqualTo(Map.of("a", keys(0, ChangeFeed.MOST_KEYS)));
    }

    @Test
    void add_moreKeysThanMayWait_tellsOfAllRowsWithEachOfThem() {
        pending.add(10, 100, Map.of("a", keys(0, ChangeFeed.MOST_KEYS), "b", keys(0, 1)));
        pending.add(11, 110, Map.of("a", keys(-1, 0)));

        assertThat(pending.all()).isEqualTo(Map.of("a", ALL, "b", keys(0, 1)));
        assertThat(pending.take(before(11)).tables()).isEqualTo(Map.of("a", ALL, "b", keys(0, 1)));
        assertThat(pending.take(before(12)).tables()).isEqualTo(Map.of("a", ALL));
        pending.add(12, 120, Map.of("a", keys(0, ChangeFeed.MOST_KEYS)));
        assertThat(pending.all()).isEqualTo(Map.of("a", keys(0, ChangeFeed.MOST_KEYS)));
    }

    @Test
    void add_moreTransactionsThanAreToldApart_waitsForAllOfTheLast() {
        for (int xid = 1; xid <= 10_002; xid++) {
            pending.add(xid, xid, Map.of("a", keys(xid, xid + 1)));
        }

        assertThat(pending.take(before(20_000, 10_001L)).end()).isEqualTo(9_999);
        assertThat(pending.take(before(20_000)))
                .isEqualTo(new PendingChanges.Taken(10_002L, Map.of("a", keys(10_000, 10_003))));
    }

    @Test
    void visible_text_isReadAsTheDatabaseWritesIt() {
        VisibleTransactions none = VisibleTransactions.parse("7:7:");
        assertThat(none).isEqualTo(before(7));
        VisibleTransactions some =
                VisibleTransactions.parse("4294967300:4294967310:4294967300,4294967305");
        assertThat(some.hasAll(4294967301L, 4294967304L)).isTrue();
        assertThat(some.hasAll(4294967301L, 4294967305L)).isFalse();
        assertThat(some.hasAll(4294967309L, 4294967310L)).isFalse();
        assertThat(some.whole(13)).isEqualTo(4294967309L);
        assertThat(some.whole(16)).isEqualTo(4294967312L);
        assertThat(some.whole(-1)).isEqualTo(4294967295L);
    }
}
