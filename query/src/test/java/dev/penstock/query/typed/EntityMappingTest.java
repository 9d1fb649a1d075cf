package dev.penstock.query.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.sql.Database;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.Condition;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Columns that hold a field's values in another way: truth values as numbers, longs in narrow columns; and sums beyond
 * a long.
 */
class EntityMappingTest {
    record Flag(int id, Boolean on, boolean up, Long size, long big) {
        static final IntField<Flag> ID = IntField.of(Flag.class, "id", Flag::id);
        static final BooleanField<Flag> ON = BooleanField.nullable(Flag.class, "is_on", Flag::on);
        static final BooleanField<Flag> UP = BooleanField.of(Flag.class, "up", Flag::up);
        static final LongField<Flag> SIZE = LongField.nullable(Flag.class, "size", Flag::size);
        static final LongField<Flag> BIG = LongField.of(Flag.class, "big", Flag::big);
        static final Entity<Flag> TABLE =
                Entity.of(
                        Flag.class,
                        "flag",
                        row ->
                                new Flag(
                                        row.getInt(0),
                                        row.isNull(1) ? null : row.getInt(1) != 0,
                                        row.getBoolean(2),
                                        row.isNull(3) ? null : row.getLong(3),
                                        row.getLong(4)),
                        List.of(ID, ON, UP, SIZE, BIG),
                        List.of(ID));
    }

    private static final List<Flag> LIST =
            List.of(
                    new Flag(1, null, true, 5L, 1L << 62),
                    new Flag(2, false, true, null, 1L << 62),
                    new Flag(3, true, false, -7L, 1L << 62),
                    new Flag(4, true, true, 2147483647L, 1));

    private static List<Condition<Flag>> conditions() {
        List<Condition<Flag>> all = new ArrayList<>();
        for (boolean value : List.of(true, false)) {
            all.add(Flag.ON.equal(value));
            all.add(Flag.ON.notEqual(value));
            all.add(Flag.ON.lessThan(value));
            all.add(Flag.ON.lessOrEqual(value));
            all.add(Flag.ON.greaterThan(value));
            all.add(Flag.ON.greaterOrEqual(value));
            all.add(Flag.ON.in(List.of(value)));
            all.add(Flag.ON.notIn(List.of(value)));
        }
        all.add(Flag.ON.isNull());
        all.add(Flag.ON.equal(Flag.UP));
        all.add(Flag.ON.notEqual(Flag.UP));
        all.add(Flag.ON.lessThan(Flag.UP));
        all.add(Flag.UP.greaterOrEqual(Flag.ON));
        for (long value : List.of(5L, 1L << 40, -(1L << 40))) {
            all.add(Flag.SIZE.equal(value));
            all.add(Flag.SIZE.notEqual(value));
            all.add(Flag.SIZE.lessThan(value));
            all.add(Flag.SIZE.greaterOrEqual(value));
            all.add(Flag.SIZE.in(value, -7));
            all.add(Flag.SIZE.notIn(value, -7));
        }
        all.add(Flag.SIZE.times(Flag.BIG).greaterThan(Flag.BIG));
        return all;
    }

    @Test
    void columns_thatHoldValuesInAnotherWay_areAskedForThem() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table flag (id int primary key, is_on smallint, up boolean not null, size int, big bigint not null)",
                    "insert into flag values (1, null, true, 5, 4611686018427387904), (2, 0, true, null, 4611686018427387904),"
                            + " (3, 1, false, -7, 4611686018427387904), (4, 2, true, 2147483647, 1)");
            TypedTable<Flag> flags = Database.connect(server.dataSource()).table(Flag.TABLE);
            assertThat(flags.stream().sorted(Flag.ID).toList()).isEqualTo(LIST);
            for (Condition<Flag> condition : conditions()) {
                assertThat(flags.stream().filter(condition).sorted(Flag.ID).toList())
                        .isEqualTo(LIST.stream().filter(condition).toList());
                assertThat(flags.stream().filter(condition.negate()).count())
                        .isEqualTo(LIST.stream().filter(condition.negate()).count());
            }
            assertThat(flags.stream().sorted(Flag.ON.thenComparing(Flag.ID)).toList())
                    .isEqualTo(LIST.stream().sorted(Flag.ON.thenComparing(Flag.ID)).toList());
            assertThat(flags.stream().map(Flag.ON).distinct().count()).isEqualTo(3);
            assertThat(flags.stream().mapToDouble(Flag.BIG).sum())
                    .isEqualTo(LIST.stream().mapToDouble(Flag.BIG).sum());
            assertThatThrownBy(() -> flags.stream().mapToLong(Flag.BIG).sum())
                    .isInstanceOf(RuntimeException.class);
        }
    }
}
