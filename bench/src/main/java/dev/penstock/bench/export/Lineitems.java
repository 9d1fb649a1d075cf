package dev.penstock.bench.export;

import dev.penstock.query.Column;
import dev.penstock.query.ColumnType;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Made-up rows like those of TPC-H's {@code lineitem}: 16 columns of whole numbers, decimals, dates and short texts.
 * The same seed gives the same rows.
 */
final class Lineitems {
    /** The columns in SQL that every database here takes. */
    static final String COLUMNS =
            """
            l_orderkey BIGINT NOT NULL, l_partkey INTEGER NOT NULL, l_suppkey INTEGER NOT NULL,
            l_linenumber INTEGER NOT NULL, l_quantity DECIMAL(15,2) NOT NULL,
            l_extendedprice DECIMAL(15,2) NOT NULL, l_discount DECIMAL(15,2) NOT NULL,
            l_tax DECIMAL(15,2) NOT NULL, l_returnflag VARCHAR(1) NOT NULL,
            l_linestatus VARCHAR(1) NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL,
            l_receiptdate DATE NOT NULL, l_shipinstruct VARCHAR(25) NOT NULL,
            l_shipmode VARCHAR(10) NOT NULL, l_comment VARCHAR(44) NOT NULL\
            """;

    static final int COLUMN_COUNT = 16;

    private static final long SEED = 1992;
    private static final LocalDate FIRST_DAY = LocalDate.of(1992, 1, 2);
    private static final int DAYS = 2526;
    private static final String[] INSTRUCTIONS = {
        "DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN"
    };
    private static final String[] MODES = {
        "REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"
    };
    private static final String[] WORDS = {
        "quickly", "final", "deposits", "sleep", "furiously", "above", "the", "regular", "ideas",
        "packages", "carefully", "even", "accounts", "are", "bold", "requests", "haggle", "slyly"
    };

    private Lineitems() {}

    /** Writes rows as CSV without a header; no value needs quotes. */
    static void write(long rows, Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            write(rows, out);
        }
    }

    private static void write(long rows, Writer out) throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        long order = 0;
        int lines = 0;
        int line = 0;
        for (long row = 0; row < rows; row++) {
            if (line == lines) {
                order++;
                line = 0;
                lines = 1 + random.nextInt(7);
            }
            line++;
            out.write(Long.toString(order));
            write(out, order, line, random);
        }
    }

    private static void write(Writer out, long order, int line, SplittableRandom random)
            throws IOException {
        int quantity = 1 + random.nextInt(50);
        long price = 90_000L + random.nextInt(11_000_000);
        LocalDate ship = FIRST_DAY.plusDays(random.nextInt(DAYS));
        LocalDate receipt = ship.plusDays(1 + random.nextInt(30));
        field(out, Integer.toString(1 + random.nextInt(200_000)));
        field(out, Integer.toString(1 + random.nextInt(10_000)));
        field(out, Integer.toString(line));
        field(out, decimal(quantity * 100L));
        field(out, decimal(price));
        field(out, decimal(random.nextInt(11)));
        field(out, decimal(random.nextInt(9)));
        field(out, receipt.getYear() > 1995 ? "N" : (order % 2 == 0 ? "R" : "A"));
        field(out, ship.getYear() > 1995 ? "O" : "F");
        field(out, ship.toString());
        field(out, ship.plusDays(random.nextInt(60) - 30).toString());
        field(out, receipt.toString());
        field(out, INSTRUCTIONS[random.nextInt(INSTRUCTIONS.length)]);
        field(out, MODES[random.nextInt(MODES.length)]);
        field(out, comment(random));
        out.write('\n');
    }

    /** Returns the columns as a cursor over rows in memory has them. */
    static List<Column> columns() {
        return Stream.of(COLUMNS.split(" NOT NULL,?\\s*", -1))
                .filter(column -> !column.isEmpty())
                .map(column -> column.split("[ (]", -1))
                .map(words -> new Column(words[0], type(words[1]), "made up", false, 64))
                .toList();
    }

    private static ColumnType type(String sql) {
        return switch (sql) {
            case "BIGINT" -> ColumnType.LONG;
            case "INTEGER" -> ColumnType.INT;
            case "VARCHAR" -> ColumnType.TEXT;
            default -> ColumnType.valueOf(sql);
        };
    }

    /** Returns the names of the columns, with commas in between. */
    static String columnNames() {
        return columns().stream().map(Column::name).collect(Collectors.joining(","));
    }

    /** So many rows, each cell as text. */
    static List<List<String>> rows(int rows) {
        StringWriter text = new StringWriter();
        try {
            write(rows, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().lines().map(line -> List.of(line.split(",", -1))).toList();
    }

    private static void field(Writer out, String value) throws IOException {
        out.write(',');
        out.write(value);
    }

    private static String decimal(long hundredths) {
        return BigDecimal.valueOf(hundredths, 2).toPlainString();
    }

    private static String comment(SplittableRandom random) {
        StringBuilder comment = new StringBuilder();
        int words = 2 + random.nextInt(4);
        for (int i = 0; i < words; i++) {
            comment.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return comment.length() > 44 ? comment.substring(0, 44).strip() : comment.toString();
    }
}
