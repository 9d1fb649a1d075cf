package dev.penstock.query.typed;

import dev.penstock.query.Cursor;
import dev.penstock.query.typed.field.BinaryField;
import dev.penstock.query.typed.field.BooleanField;
import dev.penstock.query.typed.field.CharField;
import dev.penstock.query.typed.field.DoubleField;
import dev.penstock.query.typed.field.Entity;
import dev.penstock.query.typed.field.EnumField;
import dev.penstock.query.typed.field.FloatField;
import dev.penstock.query.typed.field.IntField;
import dev.penstock.query.typed.field.LongField;
import dev.penstock.query.typed.field.TextField;
import dev.penstock.query.typed.field.ValueField;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** An entity of the shape that generated code has, with a field of every kind. */
@SuppressWarnings("ArrayRecordComponent") // as generated code has it
record Thing(
        int id,
        String name,
        Integer length,
        long size,
        Double weight,
        float ratio,
        boolean active,
        char grade,
        BigDecimal price,
        LocalDate day,
        Color color,
        byte[] picture) {
    enum Color {
        RED,
        BLUE,
        AMBER;

        String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Color of(String text) {
            return valueOf(text.toUpperCase(Locale.ROOT));
        }
    }

    static final IntField<Thing> ID = IntField.of(Thing.class, "id", Thing::id);
    static final TextField<Thing> NAME = TextField.nullable(Thing.class, "name", Thing::name);
    static final IntField<Thing> LENGTH = IntField.nullable(Thing.class, "length", Thing::length);
    static final LongField<Thing> SIZE = LongField.of(Thing.class, "size", Thing::size);
    static final DoubleField<Thing> WEIGHT =
            DoubleField.nullable(Thing.class, "weight", Thing::weight);
    static final FloatField<Thing> RATIO = FloatField.of(Thing.class, "ratio", Thing::ratio);
    static final BooleanField<Thing> ACTIVE = BooleanField.of(Thing.class, "active", Thing::active);
    static final CharField<Thing> GRADE = CharField.of(Thing.class, "grade", Thing::grade);
    static final ValueField<Thing, BigDecimal> PRICE =
            ValueField.nullable(Thing.class, "price", BigDecimal.class, Thing::price);
    static final ValueField<Thing, LocalDate> DAY =
            ValueField.nullable(Thing.class, "made_on", LocalDate.class, Thing::day);
    static final EnumField<Thing, Color> COLOR =
            EnumField.nullable(
                    Thing.class, "color", Color.class, Thing::color, Color::text, Color::of);
    static final BinaryField<Thing> PICTURE =
            BinaryField.nullable(Thing.class, "picture", Thing::picture);

    static final Entity<Thing> TABLE =
            Entity.of(
                    Thing.class,
                    "thing",
                    Thing::read,
                    List.of(
                            ID, NAME, LENGTH, SIZE, WEIGHT, RATIO, ACTIVE, GRADE, PRICE, DAY, COLOR,
                            PICTURE),
                    List.of(ID));

    private static Thing read(Cursor row) {
        return new Thing(
                row.getInt(0),
                row.getString(1),
                row.isNull(2) ? null : row.getInt(2),
                row.getLong(3),
                row.isNull(4) ? null : row.getDouble(4),
                row.getFloat(5),
                row.getBoolean(6),
                row.getString(7).charAt(0),
                row.getDecimal(8),
                row.getDate(9),
                row.isNull(10) ? null : Color.of(row.getString(10)),
                row.getBytes(11));
    }

    /** One with this name, and with nulls wherever one may be. */
    static Thing of(int id, String name) {
        return new Thing(id, name, null, id, null, 0.5f, true, 'a', null, null, null, null);
    }

    Thing length(Integer length) {
        return new Thing(
                id, name, length, size, weight, ratio, active, grade, price, day, color, picture);
    }

    Thing color(Color color) {
        return new Thing(
                id, name, length, size, weight, ratio, active, grade, price, day, color, picture);
    }

    Thing weight(Double weight) {
        return new Thing(
                id, name, length, size, weight, ratio, active, grade, price, day, color, picture);
    }

    Thing price(String price) {
        return new Thing(
                id,
                name,
                length,
                size,
                weight,
                ratio,
                active,
                grade,
                new BigDecimal(price),
                day,
                color,
                picture);
    }
}
