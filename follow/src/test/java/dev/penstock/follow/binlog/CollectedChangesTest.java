package dev.penstock.follow.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.QueryException;
import dev.penstock.snapshot.ChangeFeed;
import dev.penstock.snapshot.ChangeFeed.ChangedRows;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.All;
import dev.penstock.snapshot.ChangeFeed.ChangedRows.Keys;
import dev.penstock.snapshot.ChangeFeed.Changes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CollectedChangesTest {
    private final CollectedChanges changes =
            new CollectedChanges(new SavedPosition(at(10), GtidPosition.of("0-1-1")));

    private long sequence = 1;

    private static BinlogPosition at(long offset) {
        return new BinlogPosition("bin.000001", offset);
    }

    private static ChangedKeys keys(int... ids) {
        ChangedKeys keys = new ChangedKeys();
        for (int id : ids) {
            keys.add(List.of(id));
        }
        return keys;
    }

    private void commit(long end, Map<String, ChangedKeys> keys) {
        changes.commit(keys, new GtidPosition.Gtid(0, 1, ++sequence), at(end));
        changes.received(at(end));
    }

    private Changes take(long visible) {
        return changes.take(at(visible), Set.of());
    }

    private static Keys told(Object... ids) {
        return new Keys(
                java.util.Arrays.stream(ids)
                        .map(id -> List.of(id))
                        .collect(java.util.stream.Collectors.toSet()));
    }

    @Test
    void take_visibleUpToAPlace_whatEndsThere() {
        commit(20, Map.of("t", keys(1)));
        commit(30, Map.of("t", keys(2), "u", keys(3)));
        assertThat(take(10)).isEqualTo(new Changes("bin.000001:10:0-1-1", Map.of()));
        assertThat(take(20)).isEqualTo(new Changes("bin.000001:20:0-1-2", Map.of("t", told(1))));
        assertThat(changes.peek()).isEqualTo(Map.of("t", told(2), "u", told(3)));
        assertThat(take(30))
                .isEqualTo(new Changes("bin.000001:30:0-1-3", Map.of("t", told(2), "u", told(3))));
        assertThat(take(30)).isEqualTo(new Changes("bin.000001:30:0-1-3", Map.of()));
    }

    @Test
    void take_keyChangedOnceMoreLater_stays() {
        commit(20, Map.of("t", keys(1, 2)));
        commit(30, Map.of("t", keys(1)));
        assertThat(take(20).tables()).isEqualTo(Map.of("t", told(2)));
        assertThat(take(30).tables()).isEqualTo(Map.of("t", told(1)));
    }

    @Test
    void take_allRows_untilTheLastChangeIsVisible() {
        commit(20, Map.of("t", keys(1)));
        ChangedKeys all = new ChangedKeys();
        all.addAll();
        commit(30, Map.of("t", all));
        commit(40, Map.of("t", keys(2)));
        assertThat(take(15).tables()).isEmpty();
        assertThat(take(20).tables()).isEqualTo(Map.of("t", new All()));
        assertThat(take(30).tables()).isEqualTo(Map.of("t", new All()));
        assertThat(take(40).tables()).isEqualTo(Map.of("t", new All()));
        assertThat(take(40).tables()).isEmpty();
        commit(50, Map.of("t", keys(3)));
        assertThat(take(50).tables()).isEqualTo(Map.of("t", told(3)));
    }

    @Test
    void commit_moreKeysThanMayWait_allRows() {
        for (int i = 0; i < ChangeFeed.MOST_KEYS / 1000; i++) {
            int from = i * 1000;
            commit(
                    20 + i,
                    Map.of(
                            "t",
                            keys(java.util.stream.IntStream.range(from, from + 1000).toArray())));
        }
        assertThat(changes.peek().get("t")).isInstanceOf(Keys.class);
        commit(1000, Map.of("t", keys(-1)));
        assertThat(changes.peek()).isEqualTo(Map.of("t", new All()));
    }

    @Test
    void add_longTexts_allRows() {
        String text = "x".repeat(1 << 20);
        ChangedKeys keys = new ChangedKeys();
        for (int i = 0; i < 15; i++) {
            keys.add(List.of(text + i));
        }
        assertThat(keys.isAll()).isFalse();
        keys.add(List.of(text + 15));
        assertThat(keys.isAll()).isTrue();
        assertThat(keys.keys()).isEmpty();
    }

    @Test
    void take_distributedTransactionThatMayNotBeVisible_upToBeforeIt() {
        commit(20, Map.of("t", keys(1)));
        Xid xid = Xid.of(new byte[] {1}, 1);
        changes.committing(xid, at(30));
        commit(30, Map.of("t", keys(2)));
        commit(40, Map.of("t", keys(3)));
        assertThat(changes.distributed()).containsExactly(xid);
        assertThat(take(40))
                .isEqualTo(new Changes("bin.000001:20:0-1-2", Map.of("t", told(1, 2, 3))));
        assertThat(changes.take(at(40), Set.of(xid)))
                .isEqualTo(new Changes("bin.000001:40:0-1-4", Map.of("t", told(2, 3))));
        assertThat(changes.distributed()).isEmpty();
    }

    @Test
    void take_fileJustBegun_toldAgainUntilACheckpoint() {
        commit(20, Map.of("t", keys(1)));
        BinlogPosition header = new BinlogPosition("bin.000002", 300);
        changes.received(header);
        Changes told = new Changes("bin.000001:10:0-1-1", Map.of("t", told(1)));
        assertThat(changes.take(header, Set.of())).isEqualTo(told);
        changes.checkpoint("bin.000001");
        assertThat(changes.take(header, Set.of())).isEqualTo(told);
        changes.checkpoint("bin.000002");
        assertThat(changes.take(header, Set.of()))
                .isEqualTo(new Changes("bin.000001:20:0-1-2", Map.of("t", told(1))));
        assertThat(changes.take(header, Set.of()).tables()).isEmpty();
    }

    @Test
    void take_newFileWithTheOffsetInTheOldOne_notBelieved() {
        commit(20, Map.of("t", keys(1)));
        BinlogPosition stale = new BinlogPosition("bin.000002", 20);
        changes.commit(Map.of("t", keys(2)), new GtidPosition.Gtid(0, 1, ++sequence), stale);
        changes.received(stale);
        assertThat(changes.take(stale, Set.of()))
                .isEqualTo(new Changes("bin.000001:10:0-1-1", Map.of("t", told(1, 2))));
        // What comes next in the new file is before that place, and the log all the same.
        assertThat(changes.settled()).isEqualTo(at(10));
        BinlogPosition next = new BinlogPosition("bin.000002", 30);
        changes.commit(Map.of(), new GtidPosition.Gtid(0, 1, ++sequence), next);
        changes.received(next);
        assertThat(changes.take(next, Set.of()))
                .isEqualTo(new Changes("bin.000002:30:0-1-4", Map.of("t", told(1, 2))));
        assertThat(changes.take(next, Set.of()).tables()).isEmpty();
    }

    @Test
    void restart_anotherLog_allRowsOfAllTables() throws InterruptedException {
        commit(20, Map.of("t", keys(1)));
        SavedPosition anew = new SavedPosition(at(5), GtidPosition.of("0-9-1"));
        changes.restart(anew, List.of("t", "u"), 0);
        assertThat(changes.await(Duration.ZERO)).isTrue();
        assertThat(take(5))
                .isEqualTo(
                        new Changes("bin.000001:5:0-9-1", Map.of("t", new All(), "u", new All())));
        assertThat(changes.await(Duration.ZERO)).isFalse();
    }

    /** A thread that waits until everything came up to a place, with what is pending then. */
    private FutureTask<Map<String, ChangedRows>> waiting(long end, AtomicReference<Thread> by) {
        FutureTask<Map<String, ChangedRows>> task =
                new FutureTask<>(() -> {
                    changes.awaitReceived(at(end), 0);
                    return changes.peek();
                });
        Thread thread = Thread.ofPlatform().start(task);
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        by.set(thread);
        return task;
    }

    @Test
    void awaitReceived_heartbeatThatMayBeOlder_waitsOn() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        FutureTask<Map<String, ChangedRows>> waiting = waiting(20, thread);
        changes.alive();
        thread.get().interrupt();
        assertThatThrownBy(waiting::get)
                .cause()
                .hasMessage("waiting for the binary log was interrupted");
    }

    @Test
    void awaitReceived_placeOfALogThatIsLost_allRowsAtTheRestart() throws Exception {
        FutureTask<Map<String, ChangedRows>> waiting = waiting(20, new AtomicReference<>());
        changes.restart(new SavedPosition(at(5), GtidPosition.of("0-9-1")), List.of("t"), 0);
        assertThat(waiting.get()).isEqualTo(Map.of("t", new All()));
    }

    @Test
    void awaitReceived_restartAfterThePlaceWasAskedFor_doesNotWaitForIt() {
        long known = changes.awaitKnown().restarts();
        changes.restart(new SavedPosition(at(5), GtidPosition.of("0-9-1")), List.of("t"), 0);
        changes.awaitReceived(at(20), known);
        assertThat(changes.peek()).isEqualTo(Map.of("t", new All()));
    }

    @Test
    void resume_suspendedOnceMoreMeanwhile_staysSuspended() {
        changes.suspend();
        long seen = changes.suspensions();
        changes.suspend();
        changes.resume(seen);
        assertThatThrownBy(changes::settled)
                .hasMessage(
                        "MariaDB's binary log may have been begun anew, and is not read again yet");
        assertThatThrownBy(() -> take(20)).isInstanceOf(QueryException.class);
        changes.restart(new SavedPosition(at(5), GtidPosition.of("0-9-1")), List.of("t"), seen);
        assertThatThrownBy(changes::settled).isInstanceOf(QueryException.class);
        changes.resume(changes.suspensions());
        assertThat(changes.settled()).isEqualTo(at(5));
        assertThat(changes.awaitKnown()).isEqualTo(new CollectedChanges.KnownLog(at(5), 1));
    }

    @Test
    void xid_inStatement_asInTheEventOfItsPreparation() {
        assertThat(Xid.in("XA COMMIT X'6162',X'63',7"))
                .contains(Xid.of(new byte[] {'a', 'b', 'c'}, 7));
        assertThat(Xid.in("XA COMMIT 'a'")).isEmpty();
    }
}
