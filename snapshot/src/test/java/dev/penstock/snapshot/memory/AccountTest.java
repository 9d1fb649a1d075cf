package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.query.QueryException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccountTest {
    /** The bytes that each collection gives back before it is said to be done. */
    private final Deque<Long> found = new ArrayDeque<>();

    private final Account account = new Account(100, (_, _, _) -> "no room", this::collected);

    private void collected(Runnable run) {
        account.giveBack(found.remove());
        run.run();
    }

    @Test
    void reserve_cleanerInTheMidstOfWhatItFrees_waitsForTheRest() {
        account.reserve(100, MemoryUse.QUERY);
        found.addAll(List.of(30L, 40L));
        account.reserve(60, MemoryUse.QUERY);
        assertThat(account.used()).isEqualTo(90);
    }

    @Test
    void reserve_collectionThatFreesNothing_refused() {
        account.reserve(100, MemoryUse.QUERY);
        found.addAll(List.of(30L, 0L));
        assertThatThrownBy(() -> account.reserve(60, MemoryUse.QUERY))
                .isInstanceOf(QueryException.class)
                .hasMessage("no room");
        assertThat(account.used()).isEqualTo(70);
        assertThat(found).isEmpty();
    }
}
