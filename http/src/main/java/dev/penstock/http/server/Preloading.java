package dev.penstock.http.server;

import com.jcraft.jzlib.Deflater;
import io.netty.channel.Channel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.ssl.SslHandler;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * A first use, when a server starts, of everything that needs a file at its first use: the archives that classes come
 * from, and what lines of a log are formatted with. A class that could not be loaded once, because no descriptor was
 * left, stays broken for as long as the process runs.
 */
final class Preloading {
    private static final String CLASS = ".class";

    /** One of each archive. */
    private static final List<Class<?>> CLASSES =
            List.of(
                    Deflater.class,
                    Channel.class,
                    ByteToMessageDecoder.class,
                    HttpObject.class,
                    Http2ConnectionHandler.class,
                    SslHandler.class);

    static {
        loadDirectory();
    }

    private Preloading() {}

    /** Where the classes of this module lie in a directory, such as a build's, each needs a file: all are loaded. */
    private static void loadDirectory() {
        CodeSource source = Preloading.class.getProtectionDomain().getCodeSource();
        if (source == null || !"file".equals(source.getLocation().getProtocol())) {
            return;
        }
        try {
            Path root = Path.of(source.getLocation().toURI());
            if (Files.isDirectory(root)) {
                try (Stream<Path> files = Files.walk(root)) {
                    files.map(root::relativize).map(Path::toString).forEach(Preloading::load);
                }
            }
        } catch (URISyntaxException | IOException | UncheckedIOException _) {
            // They will be loaded when they are used.
        }
    }

    private static void load(String file) {
        if (!file.endsWith(CLASS) || file.endsWith("-info" + CLASS)) {
            return;
        }
        String name = file.substring(0, file.length() - CLASS.length());
        try {
            var _ =
                    Class.forName(
                            name.replace(File.separatorChar, '.'),
                            false,
                            Preloading.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError _) {
            // Whoever uses it is told.
        }
    }

    // Whatever a formatter of the application's throws is none of ours.
    @SuppressWarnings("CatchingUnchecked")
    static void now() {
        CLASSES.forEach(known -> openArchives(known.getClassLoader()));
        if (ModuleLayer.boot().findModule("java.logging").isEmpty()) {
            return;
        }
        try {
            formatLine();
        } catch (Throwable _) {
            // Then it will be the log's own matter.
        }
    }

    /** A class that is nowhere is looked for everywhere. */
    private static void openArchives(ClassLoader loader) {
        try {
            var _ = Class.forName("penstock.NoClass", false, loader);
        } catch (ClassNotFoundException _) {
            // As meant.
        }
    }

    /** As every handler does with a warning, save that nobody sees it. */
    private static void formatLine() {
        LogRecord line = new LogRecord(Level.WARNING, "{0}");
        line.setParameters(new Object[] {1});
        line.setThrown(new IllegalStateException("Formatted for the first time"));
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            if (handler.getFormatter() != null) {
                var _ = handler.getFormatter().format(line);
            }
        }
    }
}
