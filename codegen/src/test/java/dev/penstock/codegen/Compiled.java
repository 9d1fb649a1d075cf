package dev.penstock.codegen;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Sources compiled in memory with every warning an error, and the classes that came of it. */
public final class Compiled extends ClassLoader {
    private final Map<String, byte[]> classes = new HashMap<>();

    private Compiled() {
        super(Compiled.class.getClassLoader());
    }

    /** Files of one package, by their names; fails with all that the compiler says. */
    public static Compiled of(Map<String, String> files, String packageName) {
        Map<String, String> paths = new HashMap<>();
        files.forEach((name, text) -> paths.put(packageName.replace('.', '/') + "/" + name, text));
        return of(paths);
    }

    /** Files by their paths; fails with all that the compiler says. */
    public static Compiled of(Map<String, String> files) {
        Compiled compiled = new Compiled();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        List<JavaFileObject> sources = new ArrayList<>();
        files.forEach((name, text) -> sources.add(new Source(name, text)));
        List<String> options =
                List.of(
                        "-Xlint:all",
                        "-Xdoclint:all,-missing",
                        "-Werror",
                        "--release",
                        "25",
                        "-proc:none",
                        "-classpath",
                        System.getProperty("java.class.path"));
        StringWriter crash = new StringWriter();
        JavaFileManager standard = compiler.getStandardFileManager(said, Locale.ROOT, null);
        JavaFileManager manager = new InMemory(standard, compiled.classes);
        boolean done = compiler.getTask(crash, manager, said, options, null, sources).call();
        if (!done || !said.getDiagnostics().isEmpty()) {
            StringBuilder text = new StringBuilder(crash.toString());
            said.getDiagnostics().forEach(d -> text.append(d).append('\n'));
            files.forEach((name, source) -> text.append(name).append(":\n").append(source));
            throw new AssertionError(text.toString());
        }
        return compiled;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            throw new ClassNotFoundException(name);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }

    /** Initialises every class, so that each field, entity and key is made; they come by their names. */
    public Map<String, Class<?>> load() {
        try {
            Map<String, Class<?>> loaded = new HashMap<>();
            for (String name : classes.keySet()) {
                loaded.put(name, Class.forName(name, true, this));
            }
            return loaded;
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, byte[]> classes;

        InMemory(JavaFileManager standard, Map<String, byte[]> classes) {
            super(standard);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            // A class's name may hold what a URI may not.
            URI uri = URI.create("bytes:///" + classes.size());
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    return new ByteArrayOutputStream() {
                        @Override
                        public void close() {
                            classes.put(name, toByteArray());
                        }
                    };
                }
            };
        }
    }
}
