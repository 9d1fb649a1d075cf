package dev.penstock.http.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileCacheTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir private Path directory;
    private final AtomicLong clock = new AtomicLong(-5);

    private OpenFile open(String name, int size) throws IOException {
        Path file = Files.write(directory.resolve(name), new byte[size]);
        return OpenFile.open(file.toRealPath(), new OpenFile.Form("application/x", null, false), 2);
    }

    @Test
    void file_thatWasPut_answersItsRequestsAlone() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        OpenFile file = open("a", 10);
        cache.put("a", 1, file);
        assertThat(cache.fresh("a", 1)).isSameAs(file);
        assertThat(cache.freshOrClaim("a", 1)).isSameAs(file);
        assertThat(cache.fresh("a", 0)).isNull();
        assertThat(cache.fresh("b", 1)).isNull();
    }

    @Test
    void file_whoseTimeIsOver_isLookedAtByOneOfThoseWhoAsk() throws Exception {
        FileCache cache = new FileCache(Duration.ofNanos(10), clock::get);
        OpenFile file = open("a", 10);
        cache.put("a", 0, file);
        clock.addAndGet(10);
        assertThat(cache.fresh("a", 0)).isSameAs(file);
        clock.addAndGet(1);
        assertThat(cache.fresh("a", 0)).isNull();
        assertThat(cache.freshOrClaim("a", 0)).isNull();
        assertThat(cache.freshOrClaim("a", 0)).isSameAs(file);
        clock.addAndGet(10);
        assertThat(cache.freshOrClaim("a", 0)).isNull();
        assertThat(cache.held("a", 0)).isSameAs(file);
        FileCache off = new FileCache(Duration.ZERO, clock::get);
        assertThat(off.hasRoom(1)).isFalse();
        off.put("a", 0, file);
        assertThat(off.freshOrClaim("a", 0)).isNull();
    }

    @Test
    void files_thatAreOpen_areBoundedAndClosedByTheirLastUser() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        OpenFile[] files = new OpenFile[200];
        int kept = 0;
        for (int i = 0; i < files.length; i++) {
            files[i] = open("large-" + i, OpenFile.SMALL + 1);
            cache.put("large-" + i, 0, files[i]);
            files[i].release();
        }
        for (int i = 0; i < files.length; i++) {
            OpenFile file = cache.fresh("large-" + i, 0);
            kept += file == null ? 0 : 1;
            assertThat(files[i].channel().isOpen()).isEqualTo(file != null);
        }
        assertThat(kept).isBetween(64, 128);
    }

    @Test
    void files_thatAreHeld_areBoundedInBytes() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        long bytes = 0;
        for (int i = 0; i < 600; i++) {
            cache.put("small-" + i, 0, open("small-" + i, OpenFile.SMALL));
        }
        for (int i = 0; i < 600; i++) {
            OpenFile file = cache.fresh("small-" + i, 0);
            bytes += file == null ? 0 : file.size();
        }
        assertThat(bytes).isBetween(1024 * 1024L, 4 * 1024 * 1024L);
    }

    @Test
    void file_thatIsPutAgain_takesThePlaceOfTheOneBefore() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        OpenFile first = open("a", OpenFile.SMALL + 1);
        OpenFile second = open("a", OpenFile.SMALL + 2);
        cache.put("a", 0, first);
        first.release();
        assertThat(first.channel().isOpen()).isTrue();
        cache.put("a", 0, second);
        assertThat(cache.fresh("a", 0)).isSameAs(second);
        assertThat(first.channel().isOpen()).isFalse();
        assertThat(first.retain()).isFalse();
        second.release();
        assertThat(second.retain()).isTrue();
        second.release();
    }

    @Test
    void file_thatWasReplacedWhileItIsSent_countsUntilItsLastUserLetsGo() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        List<OpenFile> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            OpenFile version = open("a", OpenFile.SMALL + 1 + i);
            sent.add(version);
            cache.put("a", 0, version);
            assertThat(cache.held("a", 0)).isSameAs(sent.get(Math.min(i, 127)));
        }
        assertThat(cache.hasRoom(1)).isFalse();
        sent.getLast().release();
        assertThat(cache.hasRoom(1)).isFalse();
        sent.getFirst().release();
        assertThat(cache.hasRoom(2)).isTrue();
        assertThat(cache.hasRoom(3)).isFalse();
        sent.subList(1, 199).forEach(OpenFile::release);
        assertThat(cache.hasRoom(254)).isTrue();
        assertThat(cache.hasRoom(255)).isFalse();
    }

    @Test
    void file_thatIsPutAgain_countsOnce() throws Exception {
        FileCache cache = new FileCache(LONG, clock::get);
        OpenFile file = open("a", OpenFile.SMALL + 1);
        for (int i = 0; i < 200; i++) {
            cache.put("a", 0, file);
        }
        assertThat(cache.hasRoom(254)).isTrue();
        file.release();
        assertThat(file.channel().isOpen()).isTrue();
        cache.put("a", 0, open("a", 1));
        assertThat(file.channel().isOpen()).isFalse();
        assertThat(cache.hasRoom(256)).isTrue();
    }

    @Test
    void file_deletedWhileItIsAskedFor_isLetGo() throws Exception {
        FileCache cache = new FileCache(Duration.ofSeconds(1), clock::get);
        OpenFile deleted = open("deleted", OpenFile.SMALL + 1);
        OpenFile there = open("there", OpenFile.SMALL + 1);
        cache.put("deleted", 0, deleted);
        cache.put("there", 0, there);
        deleted.release();
        Files.delete(directory.resolve("deleted"));
        for (int i = 0; i < 100; i++) {
            clock.addAndGet(Duration.ofMillis(100).toNanos());
            // Who gets nothing looks for the file, and finds one of them.
            var _ = cache.freshOrClaim("deleted", 0);
            var _ = cache.held("deleted", 0);
            if (cache.freshOrClaim("there", 0) == null) {
                cache.put("there", 0, there);
            }
            var _ = cache.dropIdle();
        }
        assertThat(deleted.channel().isOpen()).isFalse();
        assertThat(cache.held("deleted", 0)).isNull();
        assertThat(cache.held("there", 0)).isSameAs(there);
        there.release();
    }

    @Test
    void file_thatHasChanged_isNoMoreTheSame() throws Exception {
        int size = OpenFile.SMALL + 1;
        OpenFile file = open("a", size);
        Path path = directory.resolve("a").toRealPath();
        FileTime time = Files.getLastModifiedTime(path);
        OpenFile.Form form = file.form();
        assertThat(file.isStill(path, form)).isTrue();
        assertThat(file.isStill(path, new OpenFile.Form("text/plain", null, false))).isFalse();
        assertThat(file.isStill(directory.resolve("b"), form)).isFalse();
        Files.setLastModifiedTime(path, FileTime.from(time.toInstant().plusNanos(1000)));
        assertThat(file.isStill(path, form)).isFalse();
        Files.setLastModifiedTime(path, time);
        assertThat(file.isStill(path, form)).isTrue();
        Path other = Files.write(directory.resolve("b"), new byte[size]);
        Files.setLastModifiedTime(other, time);
        Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
        assertThat(file.isStill(path, form)).isFalse();
        Files.delete(path);
        assertThat(file.isStill(path, form)).isFalse();
        file.release();
        assertThat(open("small", 10).isStill(directory.resolve("small").toRealPath(), form))
                .isFalse();
    }
}
