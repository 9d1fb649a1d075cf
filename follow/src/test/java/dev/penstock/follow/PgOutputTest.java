package dev.penstock.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.follow.PgOutput.Attribute;
import dev.penstock.follow.PgOutput.Begin;
import dev.penstock.follow.PgOutput.Change;
import dev.penstock.follow.PgOutput.Commit;
import dev.penstock.follow.PgOutput.Other;
import dev.penstock.follow.PgOutput.Relation;
import dev.penstock.follow.PgOutput.Truncate;
import dev.penstock.follow.PgOutput.Tuple;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PgOutputTest {
    /** A message under construction. */
    private static final class Bytes {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final DataOutputStream out = new DataOutputStream(bytes);

        Bytes(char kind) {
            add(kind);
        }

        private interface Writing {
            void write() throws IOException;
        }

        private Bytes add(Writing writing) {
            try {
                writing.write();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return this;
        }

        Bytes add(char kind) {
            return add(() -> out.writeByte(kind));
        }

        Bytes number(long number, int bytes) {
            for (int i = bytes - 1; i >= 0; i--) {
                int shift = 8 * i;
                add(() -> out.writeByte((int) (number >>> shift)));
            }
            return this;
        }

        Bytes name(String name) {
            return add(() -> out.write(name.getBytes(UTF_8))).number(0, 1);
        }

        Bytes cell(String text) {
            byte[] cell = text.getBytes(UTF_8);
            return add('t').number(cell.length, 4).add(() -> out.write(cell));
        }

        byte[] array() {
            return bytes.toByteArray();
        }

        PgOutput.Message decoded() {
            return PgOutput.decode(ByteBuffer.wrap(array()));
        }
    }

    private static void requireChange(Bytes message, List<String> before, List<String> after) {
        assertThat(message.decoded())
                .isInstanceOfSatisfying(
                        Change.class,
                        change -> {
                            assertThat(change.relation()).isEqualTo(9);
                            requireCells(change.before(), before);
                            requireCells(change.after(), after);
                        });
    }

    private static void requireCells(Tuple tuple, List<String> cells) {
        if (cells == null) {
            assertThat(tuple).isNull();
            return;
        }
        for (int i = 0; i < cells.size(); i++) {
            assertThat(tuple.cell(i)).isEqualTo(cells.get(i));
        }
        assertThat(tuple.cell(cells.size())).isNull();
    }

    @Test
    void decode_beginAndCommit_haveNumberAndEnd() {
        assertThat(new Bytes('B').number(1, 8).number(2, 8).number(0xFFFF_FFFEL, 4).decoded())
                .isEqualTo(new Begin(-2));
        assertThat(new Bytes('C').number(0, 1).number(1, 8).number(77, 8).number(3, 8).decoded())
                .isEqualTo(new Commit(77));
    }

    @Test
    void decode_relation_hasItsColumns() {
        assertThat(
                        new Bytes('R')
                                .number(16385, 4)
                                .name("")
                                .name("or\u00e9 ders")
                                .add('d')
                                .number(2, 2)
                                .number(1, 1)
                                .name("id")
                                .number(23, 4)
                                .number(-1, 4)
                                .number(0, 1)
                                .name("note")
                                .number(25, 4)
                                .number(-1, 4)
                                .decoded())
                .isEqualTo(
                        new Relation(
                                16385,
                                "pg_catalog",
                                "or\u00e9 ders",
                                'd',
                                List.of(
                                        new Attribute("id", true, 23),
                                        new Attribute("note", false, 25))));
    }

    @Test
    void decode_changes_haveTheRowsBeforeAndAfter() {
        requireChange(
                new Bytes('I')
                        .number(9, 4)
                        .add('N')
                        .number(3, 2)
                        .cell("")
                        .add('n')
                        .cell("\uD83D\uDE00'"),
                null,
                Arrays.asList("", null, "\uD83D\uDE00'"));
        requireChange(
                new Bytes('U').number(9, 4).add('N').number(1, 2).cell("1"), null, List.of("1"));
        requireChange(
                new Bytes('U')
                        .number(9, 4)
                        .add('K')
                        .number(2, 2)
                        .cell("1")
                        .add('n')
                        .add('N')
                        .number(2, 2)
                        .cell("2")
                        .add('u'),
                Arrays.asList("1", null),
                Arrays.asList("2", null));
        requireChange(
                new Bytes('D').number(9, 4).add('O').number(1, 2).cell("1"), List.of("1"), null);
    }

    @Test
    void decode_othersAndTruncate_areTold() {
        assertThat(new Bytes('T').number(2, 4).number(0, 1).number(7, 4).number(8, 4).decoded())
                .isEqualTo(new Truncate(List.of(7, 8)));
        assertThat(new Bytes('Y').decoded()).isEqualTo(new Other());
        assertThat(new Bytes('O').decoded()).isEqualTo(new Other());
        assertThat(new Bytes('M').decoded()).isEqualTo(new Other());
    }

    @Test
    void decode_whatIsNoMessage_isRefused() {
        assertThatThrownBy(() -> new Bytes('?').decoded())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a message of pgoutput is of the unknown kind 63");
        assertThatThrownBy(() -> new Bytes('I').number(9, 4).add('X').decoded())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(
                        () -> new Bytes('I').number(9, 4).add('N').number(1, 2).add('b').decoded())
                .hasMessage("a cell of pgoutput is of the unknown kind 98");
        assertThatThrownBy(() ->
                        new Bytes('I')
                                .number(9, 4)
                                .add('N')
                                .number(1, 2)
                                .add('t')
                                .number(1 << 30, 4)
                                .decoded())
                .hasMessage("a cell of pgoutput is longer than its message");
    }

    @Test
    void decode_messageCutAnywhere_isRefused() {
        byte[] whole =
                new Bytes('U')
                        .number(9, 4)
                        .add('K')
                        .number(1, 2)
                        .cell("12")
                        .add('N')
                        .number(1, 2)
                        .cell("34")
                        .array();
        for (int length = 0; length < whole.length; length++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> PgOutput.decode(cut))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
