package dev.penstock.gateway.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.format.PageWriter;
import dev.penstock.format.RowFormat;
import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import dev.penstock.query.Cursor;
import dev.penstock.query.Plan;
import dev.penstock.query.Schema;
import dev.penstock.query.Table;
import dev.penstock.query.Utf8;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RowPageTest {
    private static final Table TABLE =
            new Table(
                    null,
                    "picture",
                    List.of(
                            new Column("id", ColumnType.INT, "int", false, 11),
                            new Column("body", ColumnType.BINARY, "bytea", true, Column.UNBOUNDED)),
                    List.of("id"),
                    false);

    /** Stands at a row whose second cell is so long that its text would not fit. */
    private static @Nullable Object cell(String method, int column) {
        return switch (method) {
            case "text" -> {
                assertThat(column).as("the cell whose text is made").isZero();
                yield utf8("7");
            }
            case "wideBytes" -> column == 1 ? utf8("x".repeat(100_000)) : null;
            default -> throw new IllegalStateException(method);
        };
    }

    private static Utf8 utf8(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Utf8().set(bytes, 0, bytes.length);
    }

    @Test
    void page_ofARowWithALongCellOfBytes_showsItsBeginningAndMakesNoTextOfIt() throws IOException {
        Cursor row =
                (Cursor)
                        Proxy.newProxyInstance(
                                Cursor.class.getClassLoader(),
                                new Class<?>[] {Cursor.class},
                                (_, method, arguments) ->
                                        cell(method.getName(), (Integer) arguments[0]));
        List<Plan.Item> items = List.of(new Plan.Item("id", "id"), new Plan.Item("body", "body"));
        PageTable shown =
                new PageTable(new Schema(List.of(TABLE), false), TABLE, items, "/api", false);
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        try (PageWriter out = new PageWriter(Channels.newChannel(page))) {
            new RowPage(shown, PageQuery.of(List.of()), RowFormat.all()).write(row, out);
        }
        assertThat(page.toString(StandardCharsets.UTF_8))
                .contains("<h1>picture 7</h1>", "78 78 78", "100,000 bytes");
    }
}
