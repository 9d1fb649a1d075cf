package dev.penstock.codegen;

import dev.penstock.codegen.problem.CodegenException;
import dev.penstock.codegen.source.GeneratedSource;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A folder of Java sources that generated files are written to. Files that were changed by hand, or that were never
 * generated, are left as they are. Not thread-safe.
 */
public final class SourceFolder {
    private final Path root;

    /**
     * A folder.
     *
     * @param root where packages begin; it is made if it is not there
     */
    public SourceFolder(Path root) {
        this.root = root;
    }

    /**
     * The fate of the files. Each list is in order of name.
     *
     * @param written new, or other than they were
     * @param unchanged already there with that text, whatever their white space
     * @param kept not written, since somebody changed or wrote what is there
     * @param removed generated files of which nothing is generated any more
     */
    public record Outcome(
            List<Path> written, List<Path> unchanged, List<Path> kept, List<Path> removed) {
        public Outcome {
            written = List.copyOf(written);
            unchanged = List.copyOf(unchanged);
            kept = List.copyOf(kept);
            removed = List.copyOf(removed);
        }
    }

    /**
     * Writes what a generator makes, and removes generated files of the same package of which nothing is generated any
     * more, unless they were changed by hand.
     *
     * @throws CodegenException if the folder can't be read or written
     */
    public Outcome write(Generator generator) {
        SortedMap<String, String> files = generator.files();
        Path folder = root;
        for (String part : generator.packageName().split("\\.", -1)) {
            folder = folder.resolve(part);
        }
        try {
            return write(files, folder);
        } catch (IOException e) {
            throw new CodegenException(
                    "can't write to " + folder + " (" + e + "): check the path and its permissions",
                    e);
        }
    }

    private static Outcome write(SortedMap<String, String> files, Path folder) throws IOException {
        List<Path> written = new ArrayList<>();
        List<Path> unchanged = new ArrayList<>();
        List<Path> kept = new ArrayList<>();
        List<Path> removed = new ArrayList<>();
        Files.createDirectories(folder);
        SortedMap<String, Path> present = present(folder);
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            String before = present.remove(file.getKey()) == null ? null : text(path);
            if (before != null && !GeneratedSource.isIntact(before)) {
                kept.add(path);
            } else if (before != null
                    && GeneratedSource.sum(before).equals(GeneratedSource.sum(file.getValue()))) {
                unchanged.add(path);
            } else {
                Files.writeString(path, file.getValue());
                written.add(path);
            }
        }
        for (Path path : present.values()) {
            if (GeneratedSource.isIntact(text(path))) {
                Files.delete(path);
                removed.add(path);
            }
        }
        return new Outcome(written, unchanged, kept, removed);
    }

    private static SortedMap<String, Path> present(Path folder) throws IOException {
        SortedMap<String, Path> present = new TreeMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, "*.java")) {
            for (Path path : all) {
                present.put(String.valueOf(path.getFileName()), path);
            }
        }
        return present;
    }

    /** The text of a file; an empty one, which was not generated, where it is no text. */
    private static String text(Path path) throws IOException {
        try {
            return Files.readString(path);
        } catch (CharacterCodingException _) {
            return "";
        }
    }
}
