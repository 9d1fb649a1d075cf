package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.penstock.query.QueryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large memory is zeroed, goes with its arena or when nobody can reach it, and is bounded. */
class PagesTest {

    @ParameterizedTest
    @ValueSource(
            longs = {
                0,
                1,
                Pages.LEAST - 1,
                Pages.LEAST,
                Pages.LEAST + 1,
                (2 << 20) + 7,
                33_000_001
            })
    void allocate_anyLength_isZeroedUpToItsEndAndGoesWithItsArena(long bytes) {
        MemorySegment kept;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment segment = Pages.allocate(arena, bytes, 8, MemoryUse.QUERY);
            assertThat(segment.byteSize()).isEqualTo(bytes);
            assertThat(segment.address() % 8).isZero();
            assertThat(segment.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
                    .isEqualTo(-1);
            segment.fill((byte) 7);
            assertThat(segment.isReadOnly()).isFalse();
            kept = segment;
        }
        if (bytes > 0) {
            assertThatThrownBy(() -> kept.get(ValueLayout.JAVA_BYTE, 0))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void allocate_inAnArenaThatIsClosed_takesNothing() {
        Arena arena = Arena.ofShared();
        arena.close();
        long each = Runtime.getRuntime().maxMemory() / 2;
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> Pages.allocate(arena, each, 8, MemoryUse.QUERY))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void close_ofAnArena_givesBackWhatTheJvmMayHave() {
        long each = Runtime.getRuntime().maxMemory() / 2;
        for (int i = 0; i < 10; i++) {
            try (Arena arena = Arena.ofShared()) {
                MemorySegment pages = Pages.allocate(arena, each, 8, MemoryUse.QUERY);
                assertThat(pages.get(ValueLayout.JAVA_BYTE, each - 1)).isZero();
            }
        }
    }

    @Test
    void numbers_thatHaveEnded_leaveTheirPagesToOthersOfTheirSizeThatSetAll() {
        assumeTrue(Pages.areUsed(), "large memory comes from the JVM here");
        Memory memory = new Memory(Long.MAX_VALUE);
        int size = 1_234_567;
        Longs first = Longs.allocateUnset(memory, size, 0, Integer.MAX_VALUE);
        long address = first.segment().address();
        for (int i = 0; i < size; i++) {
            first.set(i, 7);
        }
        first.free();
        assertThat(memory.used()).isZero();
        assertThatThrownBy(() -> first.get(0)).isInstanceOf(IllegalStateException.class);

        // Some more have room in the same pages.
        Longs unset = Longs.allocateUnset(memory, size + 100, 0, Integer.MAX_VALUE);
        Longs zeroed = Longs.allocate(memory, size, 0, Integer.MAX_VALUE);

        assertThat(zeroed.segment().address()).isNotEqualTo(address);
        assertThat(zeroed.get(size - 1)).isZero();
        assertThat(unset.segment().address()).isEqualTo(address);
        assertThatThrownBy(() -> first.get(0)).isInstanceOf(IllegalStateException.class);
        assertThat(memory.used()).isEqualTo(zeroed.bytes() + unset.bytes());
        zeroed.free();
        unset.free();
        assertThat(memory.used()).isZero();
    }

    /** They are kept when the account is asked, and when a thread of its own gives them back only then. */
    @Test
    void pages_thatAreKeptForOthers_makeRoomForWhatNeedsIt() {
        assumeTrue(Pages.areUsed(), "large memory comes from the JVM here");
        Memory memory = new Memory(Long.MAX_VALUE);
        long limit = Runtime.getRuntime().maxMemory();
        int size = (int) Math.min(limit / 5, 1 << 30);
        for (boolean isClosed : new boolean[] {true, false}) {
            Longs unset = Longs.allocateUnset(memory, size, 0, 1);
            if (isClosed) {
                unset.free();
            }
            unset = Longs.allocate(memory, 1, 0, 1);
            long rest = limit - size / 2;
            try (Arena arena = Arena.ofShared()) {
                assertThat(Pages.allocate(arena, rest, 8, MemoryUse.VERSION).byteSize())
                        .isEqualTo(rest);
            }
            assertThat(unset.get(0)).isZero();
        }
    }

    @Test
    void allocate_moreThanTheJvmMayHave_isRefusedWithTheOptionThatHelps() {
        assumeTrue(Pages.areUsed(), "large memory comes from the JVM here");
        Memory memory = new Memory(Long.MAX_VALUE);
        long most = Runtime.getRuntime().maxMemory();
        assertThatThrownBy(() -> memory.allocate(most + 1, 8))
                .isInstanceOfSatisfying(
                        QueryException.class,
                        e -> assertThat(e.kind()).isEqualTo(QueryException.Kind.MEMORY_LIMIT))
                .hasMessageContaining("the JVM has no %,d bytes outside the heap", most + 1)
                .hasMessageContaining("raise -XX:MaxDirectMemorySize");
        assertThat(memory.used()).isZero();
    }

    @Test
    void allocate_againAndAgainWithNothingKept_neverReachesWhatTheJvmMayHave() {
        Memory memory = new Memory(Long.MAX_VALUE);
        long each = Runtime.getRuntime().maxMemory() / 4;
        for (int i = 0; i < 20; i++) {
            assertThat(memory.allocate(each, 8).get(ValueLayout.JAVA_BYTE, each - 1)).isZero();
        }
    }

    @Test
    void slice_ofWhatNobodyElseReaches_keepsItsPages() {
        Memory memory = new Memory(Long.MAX_VALUE);
        MemorySegment slice = memory.allocate(Pages.LEAST, 8).asSlice(5, 10);
        slice.fill((byte) 3);
        for (int i = 0; i < 3; i++) {
            System.gc();
            memory.allocate(Pages.LEAST, 8).fill((byte) 9);
        }
        assertThat(slice.get(ValueLayout.JAVA_BYTE, 9)).isEqualTo((byte) 3);
    }
}
