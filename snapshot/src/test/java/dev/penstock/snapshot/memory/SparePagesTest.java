package dev.penstock.snapshot.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Pages that are kept for others of their size, for a while and up to a number of bytes. */
class SparePagesTest {
    private final Queue<Runnable> later = new ArrayDeque<>();
    private final List<String> unmapped = new ArrayList<>();
    private final SparePages<Piece> spares = new SparePages<>(100, later::add);

    private final class Piece implements SparePages.Spare {
        private final String name;
        private final long bytes;

        Piece(String name, long bytes) {
            this.name = name;
            this.bytes = bytes;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public void unmap() {
            unmapped.add(name);
        }
    }

    @Test
    void take_givesThoseOfThatSizeOnce() {
        Piece first = new Piece("first", 20);
        spares.add(first);
        spares.add(new Piece("other", 30));

        assertThat(spares.take(21)).isNull();
        assertThat(spares.take(20)).isSameAs(first);
        assertThat(spares.take(20)).isNull();
        assertThat(spares.bytes()).isEqualTo(30);
        assertThat(spares.sizes()).isOne();
    }

    @Test
    void sizes_ofPagesThatAreGone_areForgotten() {
        for (int size = 1; size <= 100; size++) {
            spares.add(new Piece("taken", size));
            assertThat(spares.take(size)).isNotNull();
            spares.add(new Piece("left", size));
            later.remove();
            later.remove().run();
        }
        assertThat(spares.sizes()).isZero();
        assertThat(unmapped).hasSize(100);
    }

    @Test
    void add_afterAWhile_isGivenBackUnlessSomebodyHasIt() {
        spares.add(new Piece("taken", 20));
        assertThat(spares.take(20)).isNotNull();
        spares.add(new Piece("left", 20));
        later.forEach(Runnable::run);

        assertThat(unmapped).containsExactly("left");
        assertThat(spares.bytes()).isZero();
        assertThat(spares.take(20)).isNull();
    }

    @Test
    void add_moreThanMayBeKept_isGivenBackAtOnce() {
        spares.add(new Piece("first", 60));
        spares.add(new Piece("too much", 41));
        spares.add(new Piece("just as much", 40));

        assertThat(unmapped).containsExactly("too much");
        assertThat(spares.bytes()).isEqualTo(100);
    }

    @Test
    void clear_givesAllBackAndWhatComesLaterDoesNothing() {
        spares.add(new Piece("first", 60));
        spares.add(new Piece("second", 40));
        spares.clear();
        later.forEach(Runnable::run);

        assertThat(unmapped).containsExactlyInAnyOrder("first", "second");
        assertThat(spares.bytes()).isZero();
    }
}
