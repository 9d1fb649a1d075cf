package dev.penstock.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** Log lines on a stream that fails for a while. */
final class LogHandlerTest {
    private static final String MISSING =
            "lines of the log are missing here, which could not be written: ";

    private final Disk disk = new Disk();
    private final LogHandler log = new LogHandler(disk, StandardCharsets.UTF_8, new Plain());

    @Test
    void lines_whileTheDiskIsFull_areCountedAndToldByTheNextThatIsWritten() {
        log("one");
        disk.free = 3;
        log("two");
        log("three");
        assertThat(log.lost()).isEqualTo(2);
        disk.free = Integer.MAX_VALUE;
        log("four");
        log("five");
        disk.free = 0;
        log("six");
        disk.free = Integer.MAX_VALUE;
        log("seven");
        assertThat(log.lost()).isEqualTo(3);
        assertThat(disk.bytes.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "one", "two", MISSING + 2, "four", "five", "", MISSING + 1, "seven");
    }

    @Test
    void lines_whoseReportOfMissingOnesIsCutOff_areReportedWithTheNextOne() {
        disk.free = 0;
        log("one");
        disk.free = 10;
        log("two");
        disk.free = Integer.MAX_VALUE;
        log("three");
        assertThat(log.lost()).isEqualTo(2);
        assertThat(disk.bytes.toString(StandardCharsets.UTF_8).lines())
                .endsWith(MISSING + 2, "three");
    }

    @Test
    void records_belowTheLevel_areNeitherWrittenNorCounted() {
        log.setLevel(Level.WARNING);
        disk.free = 0;
        log("one");
        assertThat(log.lost()).isZero();
    }

    private void log(String message) {
        log.publish(new LogRecord(Level.INFO, message));
    }

    /** A file that takes so many bytes more. */
    private static final class Disk extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private int free = Integer.MAX_VALUE;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            int taken = Math.min(free, length);
            bytes.write(source, offset, taken);
            free -= taken;
            if (taken < length) {
                throw new IOException("No space left on device");
            }
        }
    }

    private static final class Plain extends Formatter {
        @Override
        public String format(LogRecord record) {
            return record.getMessage() + System.lineSeparator();
        }
    }
}
