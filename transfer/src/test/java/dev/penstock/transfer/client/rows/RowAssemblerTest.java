package dev.penstock.transfer.client.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.transfer.TransferException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowAssemblerTest {
    private static final int ROWS = 17;
    private static final List<String> COLUMNS = List.of("the title", "id");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private RowAssembler assembler(String mediaType) {
        return RowAssembler.of(
                        mediaType,
                        bytes -> {
                            byte[] copy = new byte[bytes.remaining()];
                            bytes.get(copy);
                            out.writeBytes(copy);
                        })
                .orElseThrow();
    }

    /** The rows from the one behind the last that came, as a server would find it. */
    private static int next(RowAssembler rows) {
        if (rows.rows() == 0) {
            return 0;
        }
        List<Optional<String>> values = rows.values(COLUMNS);
        int last = Integer.parseInt(values.get(1).orElseThrow());
        assertThat(values.get(0)).isEqualTo(Export.title(last));
        assertThat(rows.rows()).isEqualTo(last + 1);
        return last + 1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/x-ndjson", "application/json"})
    void take_cutAtEachByte_goesOnAsIfNeverBroken(String type) throws Exception {
        byte[] whole = Export.response(type, 0, ROWS);
        for (int cut = 0; cut < whole.length; cut++) {
            out.reset();
            RowAssembler rows = assembler(type);
            rows.begin();
            rows.take(ByteBuffer.wrap(whole, 0, cut));
            byte[] rest = Export.response(type, next(rows), ROWS);
            rows.begin();
            rows.take(ByteBuffer.wrap(rest, 0, rest.length / 2));
            byte[] last = Export.response(type, next(rows), ROWS);
            rows.begin();
            rows.take(ByteBuffer.wrap(last));
            rows.finish();
            assertThat(out.toString(StandardCharsets.UTF_8))
                    .as("cut at %d", cut)
                    .isEqualTo(new String(whole, StandardCharsets.UTF_8));
            assertThat(rows.end()).isEqualTo(whole.length);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/csv", "application/x-ndjson", "application/json"})
    void resume_afterEachRow_goesOnAsIfNeverBroken(String type) throws Exception {
        byte[] whole = Export.response(type, 0, ROWS);
        for (int count = 1; count <= ROWS; count++) {
            out.reset();
            RowAssembler killed = assembler(type);
            byte[] part = Export.response(type, 0, ROWS);
            killed.begin();
            for (int i = 0; killed.rows() < count; i++) {
                killed.take(ByteBuffer.wrap(part, i, 1));
            }
            killed.flush();
            byte[] file = out.toByteArray();
            RowAssembler rows = assembler(type);
            rows.resume(
                    file,
                    Arrays.copyOfRange(file, (int) killed.lastStart(), (int) killed.end()),
                    killed.lastStart(),
                    killed.rows());
            rows.begin();
            rows.take(ByteBuffer.wrap(Export.response(type, next(rows), ROWS)));
            rows.finish();
            assertThat(out.toByteArray()).as("after row %d", count).isEqualTo(whole);
        }
    }

    @Test
    void finish_arrayIsOpen_throws() throws Exception {
        RowAssembler rows = assembler("application/json");
        rows.begin();
        rows.take(ByteBuffer.wrap("[{\"id\":1}".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(rows::finish)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not closed");
    }

    @Test
    void take_otherColumnsThanBefore_throws() throws Exception {
        RowAssembler rows = assembler("text/csv");
        rows.begin();
        rows.take(ByteBuffer.wrap("a,b\r\n1,2\r\n".getBytes(StandardCharsets.UTF_8)));
        rows.begin();
        assertThatThrownBy(() ->
                        rows.take(ByteBuffer.wrap("a,c\r\n".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining("other columns");
    }

    @Test
    void values_columnIsNotThere_namesIt() throws Exception {
        RowAssembler rows = assembler("text/csv");
        rows.begin();
        rows.take(ByteBuffer.wrap("a,b\r\n1,2\r\n".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> rows.values(List.of("a", "film_id")))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining("film_id");
    }

    @Test
    void take_jsonThatIsNoArray_throws() {
        RowAssembler rows = assembler("application/json");
        rows.begin();
        assertThatThrownBy(() ->
                        rows.take(ByteBuffer.wrap("{\"id\":1}".getBytes(StandardCharsets.UTF_8))))
                .isInstanceOf(TransferException.class)
                .hasMessageContaining("no JSON array of rows");
    }
}
