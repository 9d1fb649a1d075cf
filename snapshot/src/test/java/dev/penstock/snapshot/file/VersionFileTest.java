package dev.penstock.snapshot.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.databases.TestDatabase;
import dev.penstock.databases.TestDatabase.Kind;
import dev.penstock.query.Table;
import dev.penstock.query.sql.Database;
import dev.penstock.snapshot.Edges;
import dev.penstock.snapshot.InMemory;
import dev.penstock.snapshot.column.CellReader;
import dev.penstock.snapshot.column.StoredColumn;
import dev.penstock.snapshot.column.StoredTable;
import dev.penstock.snapshot.index.BuiltIndex;
import dev.penstock.snapshot.index.CompositeIndex;
import dev.penstock.snapshot.index.IndexedTable;
import dev.penstock.snapshot.memory.Memory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of tables: what was written is there again, and what was damaged is refused as a whole. */
class VersionFileTest {
    private static final VersionFile.Head HEAD =
            new VersionFile.Head(
                    7,
                    Instant.parse("2026-11-29T03:00:00.123456789Z"),
                    Duration.ofMillis(1234),
                    "0/16B3748");

    @TempDir Path directory;

    private static List<List<String>> cells(StoredTable table) {
        List<List<String>> all = new ArrayList<>();
        for (StoredColumn column : table.columns()) {
            CellReader reader = new CellReader(column, table.table().name());
            List<String> cells = new ArrayList<>();
            for (int row = 0; row < table.rows(); row++) {
                cells.add(column.isNull(row) ? "null" : "" + reader.text(column.cell(row)));
            }
            all.add(cells);
        }
        return all;
    }

    private static IndexedTable indexed(Database database, String name) {
        Table table = database.table(name);
        Memory memory = new Memory(Long.MAX_VALUE);
        return new IndexedTable(InMemory.stored(database, table, memory), memory);
    }

    /** A table of few bytes with each form of a column and each kind of index. */
    private static IndexedTable small() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table small (id int primary key, n int, word varchar(9), amount decimal(9,2), t double)",
                    "insert into small values (1, 3, 'b', 1.25, 1e0), (2, null, 'a', null, 2e0), (3, 1, 'b', -7, 0e0)");
            IndexedTable table = indexed(Database.connect(server.dataSource()), "small");
            table.buildDeclared(
                    Set.of(List.of("N"), List.of("WORD"), List.of("AMOUNT")),
                    null,
                    null,
                    new Memory(Long.MAX_VALUE));
            return table;
        }
    }

    private Path written(IndexedTable table) throws IOException {
        Path file = directory.resolve("tables");
        VersionFile.write(file, HEAD, Map.of("fingerprint", table));
        return file;
    }

    private static VersionFile.Content open(Path file, Table table)
            throws IOException, RefusedFileException {
        return VersionFile.open(file, Map.of("fingerprint", table));
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void table_ofEachTypeAndItsEdges_isThereAgain(Kind kind) throws Exception {
        try (TestDatabase server = TestDatabase.create(kind)) {
            Edges.create(server);
            IndexedTable table = indexed(Database.connect(server.dataSource()), "edges");
            VersionFile.Content content = open(written(table), table.stored().table());
            StoredTable read = content.tables().getFirst().table();
            assertThat(cells(read)).isEqualTo(cells(table.stored()));
            assertThat(read.bytes()).isEqualTo(table.stored().bytes());
            assertThat(content.head()).isEqualTo(HEAD);
        }
    }

    @Test
    void table_longerThanABlock_isThereAgainWithItsIndexes() throws Exception {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table notes (id int primary key, n int, tale varchar(400)) as select x * 3,"
                            + " case when mod(x, 7) = 0 then null else mod(x * 7919, 36007) end,"
                            + " case when mod(x, 900) = 0 then null else mod(x * 7919, 36007) || ' is the number of a "
                            + " tale of ' || repeat('somebody who meets somebody in the Rockies, ', 3) end"
                            + " from system_range(1, 36000)");
            IndexedTable table = indexed(Database.connect(server.dataSource()), "notes");
            table.buildDeclared(
                    Set.of(List.of("N"), List.of("TALE")), null, null, new Memory(Long.MAX_VALUE));
            Path file = written(table);
            assertThat(Files.size(file)).isGreaterThan(SegmentWriter.BLOCK);
            VersionFile.StoredPart read = open(file, table.stored().table()).tables().getFirst();
            assertThat(cells(read.table())).isEqualTo(cells(table.stored()));
            IndexedTable again = new IndexedTable(read.table(), new Memory(1));
            again.restore(read.indexes(), read.composites());
            assertThat(again.indexes())
                    .isEqualTo(table.indexes())
                    .extracting(BuiltIndex::kind)
                    .contains(BuiltIndex.Kind.COUNTS, BuiltIndex.Kind.ORDER, BuiltIndex.Kind.TEXTS);
            byte[] bytes = Files.readAllBytes(file);
            bytes[FileHeader.BYTES + SegmentWriter.BLOCK + 1000] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> open(file, table.stored().table()))
                    .isInstanceOf(RefusedFileException.class)
                    .hasMessage(
                            "is damaged: the checksum of the block at byte %,d is another"
                                    .formatted(FileHeader.BYTES + SegmentWriter.BLOCK));
        }
    }

    private static final Set<List<String>> SEVERAL =
            Set.of(
                    List.of("KIND", "MINUTES"),
                    List.of("KIND", "MINUTES", "COST"),
                    List.of("MINUTES", "COST"));

    /** A table with indexes of several columns. */
    private static IndexedTable withSeveral() {
        try (TestDatabase server = TestDatabase.create(Kind.H2)) {
            server.execute(
                    "create table t (id int primary key, kind varchar(5), minutes int, cost numeric(5, 2)) as select"
                            + " x, decode(mod(x, 4), 0, 'G', 1, 'PG', 2, 'R'), case when mod(x, 7) = 0 then null else"
                            + " mod(x, 60) end, mod(x, 3) / 100.0 from system_range(1, 9000)");
            IndexedTable table = indexed(Database.connect(server.dataSource()), "t");
            table.buildDeclared(SEVERAL, null, null, new Memory(Long.MAX_VALUE));
            return table;
        }
    }

    @Test
    void indexesOfSeveralColumns_areThereAgain() throws Exception {
        IndexedTable table = withSeveral();
        VersionFile.StoredPart read =
                open(written(table), table.stored().table()).tables().getFirst();
        // Nothing of them is built: there is no memory for it.
        IndexedTable again = new IndexedTable(read.table(), new Memory(1));
        again.restore(read.indexes(), read.composites());
        assertThat(again.indexes()).isEqualTo(table.indexes()).hasSize(3);
        for (List<String> each : SEVERAL) {
            CompositeIndex one = composite(table, each);
            CompositeIndex other = composite(again, each);
            assertThat(cells(other.table().stored())).isEqualTo(cells(one.table().stored()));
            assertThat(weights(other)).isEqualTo(weights(one));
            assertThat(weights(other).stream().mapToLong(Long::longValue).sum()).isEqualTo(9000);
            assertThat(other.table().stored().columns())
                    .extracting(StoredColumn::nulls)
                    .isEqualTo(
                            one.table().stored().columns().stream()
                                    .map(StoredColumn::nulls)
                                    .toList());
        }
    }

    private static CompositeIndex composite(IndexedTable table, List<String> columns) {
        return Objects.requireNonNull(
                table.composite(columns.stream().map(table.names()::column).toList()));
    }

    private static List<Long> weights(CompositeIndex index) {
        List<Long> weights = new ArrayList<>();
        for (int row = 0; row < index.weights().size(); row++) {
            weights.add(index.weights().get(row));
        }
        return weights;
    }

    @Test
    void file_withAnyByteChanged_isRefused() throws Exception {
        IndexedTable table = small();
        Path file = written(table);
        byte[] whole = Files.readAllBytes(file);
        Path damaged = directory.resolve("damaged");
        for (int i = 0; i < whole.length; i++) {
            byte[] bytes = whole.clone();
            bytes[i] ^= (byte) (1 << i % Byte.SIZE);
            Files.write(damaged, bytes);
            assertThatThrownBy(() -> open(damaged, table.stored().table()))
                    .as("byte %d of %d", i, whole.length)
                    .isInstanceOf(RefusedFileException.class);
        }
    }

    @Test
    void file_ofAnotherLength_isRefused() throws Exception {
        IndexedTable table = small();
        Path file = written(table);
        byte[] whole = Files.readAllBytes(file);
        Path damaged = directory.resolve("damaged");
        for (int length = 0; length < whole.length; length++) {
            Files.write(damaged, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> open(damaged, table.stored().table()))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(RefusedFileException.class);
        }
        Files.write(damaged, Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> open(damaged, table.stored().table()))
                .isInstanceOf(RefusedFileException.class)
                .hasMessage(
                        "has %,d bytes, and was written with %,d"
                                .formatted(whole.length + 1, whole.length));
    }

    @Test
    void file_ofSomethingElse_isRefused() throws Exception {
        IndexedTable table = small();
        Path file = written(table);
        assertThatThrownBy(() -> VersionFile.open(file, Map.of("another", table.stored().table())))
                .isInstanceOf(RefusedFileException.class)
                .hasMessageContaining("is of other tables, columns, types, keys or chosen rows");
        assertThatThrownBy(() ->
                        VersionFile.open(
                                file,
                                Map.of(
                                        "fingerprint",
                                        table.stored().table(),
                                        "another",
                                        table.stored().table())))
                .isInstanceOf(RefusedFileException.class)
                .hasMessage("has 1 tables, and 2 are wanted");
        Files.writeString(file, "x".repeat(1000));
        assertThatThrownBy(() -> open(file, table.stored().table()))
                .isInstanceOf(RefusedFileException.class)
                .hasMessage("is no file of tables in memory");
        Files.delete(file);
        assertThatThrownBy(() -> open(file, table.stored().table()))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void write_replacesTheFileAndWhatAnEarlierProcessLeft() throws Exception {
        IndexedTable table = small();
        Path left = Files.createFile(directory.resolve("tables.1.penstock-part"));
        Path growing = Files.createFile(directory.resolve("tables.2.penstock-part"));
        Path other = Files.createFile(directory.resolve("others.1.penstock-part"));
        FileTime yesterday = FileTime.from(Instant.now().minus(Duration.ofDays(1)));
        Files.setLastModifiedTime(left, yesterday);
        Path download = Files.createFile(directory.resolve("tables.csv.part"));
        Files.setLastModifiedTime(download, yesterday);
        Files.setLastModifiedTime(other, yesterday);
        Path file = written(table);
        StoredTable mapped = open(file, table.stored().table()).tables().getFirst().table();
        Path again = written(table);
        assertThat(directory.toFile().listFiles())
                .containsExactlyInAnyOrder(
                        file.toFile(), growing.toFile(), other.toFile(), download.toFile());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(again)))
                .isEqualTo("rw-------");
        assertThat(cells(mapped)).isEqualTo(cells(table.stored()));
    }

    /** A change of the form without a new number would have older files read as something else. */
    @Test
    void form_ofTheFile_isThatOfItsNumber() throws Exception {
        requireDigest(small(), "8cbbfff28a49062a029385ca41aad74716aca531d1095a0fd423636da49fe188");
        requireDigest(
                withSeveral(), "eb8779f0bc67bad88ae18e4c2dde06ff096b58203dc178b80f11b0d9999b92ad");
    }

    private void requireDigest(IndexedTable table, String digest) throws Exception {
        byte[] bytes = Files.readAllBytes(written(table));
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)))
                .as(
                        "the bytes of a file have changed: raise FileHeader.FORMAT, and have this digest")
                .isEqualTo(digest);
    }

    @Test
    void write_toASymbolicLink_replacesWhatItPointsTo() throws Exception {
        Path target = directory.resolve("target");
        Path link = Files.createSymbolicLink(directory.resolve("tables"), Path.of("target"));
        IndexedTable table = small();
        written(table);
        written(table);
        assertThat(link).isSymbolicLink();
        assertThat(cells(open(target, table.stored().table()).tables().getFirst().table()))
                .isEqualTo(cells(table.stored()));
    }

    @Test
    void write_thatFails_leavesTheFileThatWasThere() throws Exception {
        IndexedTable table = small();
        Path file = written(table);
        byte[] before = Files.readAllBytes(file);
        assertThatThrownBy(() ->
                        ReplacedFile.write(
                                file,
                                channel -> {
                                    throw new IOException("no space");
                                }))
                .hasMessage("no space");
        assertThat(directory.toFile().listFiles()).containsExactly(file.toFile());
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }
}
