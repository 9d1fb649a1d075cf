import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A generator of classes for long and double (and of a field for float) from those for int. It exchanges the names of
 * the types, and leaves out the methods that the JDK's other stream or function does not have.
 *
 * <p>The build runs it with two arguments: the folder of the sources and that of the generated ones.
 */
final class PrimitiveVariants {
    private static final String TYPED = "dev/penstock/query/typed/";
    private static final String MARK = "// Generated from %s by src/build/PrimitiveVariants.java\n";

    private static final List<String> FOR_LONG_AND_DOUBLE =
            List.of(
                    TYPED + "rows/IntRowSpliterator.java",
                    TYPED + "stream/ClosingIntSpliterator.java",
                    TYPED + "stream/IntStage.java",
                    TYPED + "stream/IntRecorder.java");

    private static final String INT_FIELD = TYPED + "field/IntField.java";

    /** Conversions to a narrower type, and from a type to itself. */
    private static final List<String> NOT_OF_LONG = List.of("asIntStream", "asInt", "applyAsInt");

    private static final List<String> NOT_OF_DOUBLE =
            List.of(
                    "asIntStream",
                    "asLongStream",
                    "asInt",
                    "asLong",
                    "applyAsInt",
                    "applyAsLong");

    private PrimitiveVariants() {}

    public static void main(String[] folders) throws IOException {
        Path sources = Path.of(folders[0]);
        Path generated = Path.of(folders[1]);
        for (String file : FOR_LONG_AND_DOUBLE) {
            String text = Files.readString(sources.resolve(file));
            write(generated, file, "Long", without(NOT_OF_LONG, exchanged(text, "Long", "long")));
            write(
                    generated,
                    file,
                    "Double",
                    without(NOT_OF_DOUBLE, exchanged(text, "Double", "double")));
        }
        fields(sources, generated);
    }

    /** Writes the fields of other numbers. The functions of one of floats take and give doubles. */
    private static void fields(Path sources, Path generated) throws IOException {
        String ints = Files.readString(sources.resolve(INT_FIELD));
        String longs = exchanged(ints, "Long", "long").replaceAll("\\s*ToIntFunction<R>,", "");
        write(generated, INT_FIELD, "Long", without(NOT_OF_LONG, longs));
        String doubles =
                exchanged(ints, "Double", "double")
                        .replaceAll(",\\s*ToLongFunction<R>,\\s*ToIntFunction<R>", "")
                        .replaceFirst(", or of whole numbers with fewer bits", "");
        doubles = without(NOT_OF_DOUBLE, doubles);
        write(generated, INT_FIELD, "Double", doubles);
        String floats =
                doubles.replaceAll("(?<!To|as|As)Double", "Float")
                        .replaceAll("(?<!public )\\bdouble\\b", "float")
                        .replace("(Float) getter", "(Float) (float) getter");
        write(generated, INT_FIELD, "Float", floats);
    }

    /**
     * Exchanges int and another type in names; where they stand alone, int becomes the other. Results of averages stay
     * double.
     */
    private static String exchanged(String text, String type, String primitive) {
        return Pattern.compile(
                        "\\bint\\b|\\bints\\b|\\bInteger\\b|\\bINT_|Int(?![a-z])|(?<!Optional)"
                                + type
                                + "(?![a-z])")
                .matcher(text)
                .replaceAll(found -> other(found, type, primitive));
    }

    private static String other(MatchResult found, String type, String primitive) {
        return switch (found.group()) {
            case "int" -> primitive;
            case "ints" -> primitive + "s";
            case "Integer", "Int" -> type;
            case "INT_" -> primitive.toUpperCase(Locale.ROOT) + "_";
            default -> "Int";
        };
    }

    private static String without(List<String> methods, String text) {
        return Pattern.compile(
                        "\n(    /\\*\\*[^\n]*\\*/\n)?(    @Override\n)?    public \\S+ (?:"
                                + String.join("|", methods)
                                + ")\\(.*?\n    }\n",
                        Pattern.DOTALL)
                .matcher(text)
                .replaceAll("");
    }

    /** Writes a class, unless it is there already: then the compiler has nothing to do. */
    private static void write(Path generated, String original, String type, String text)
            throws IOException {
        Path file = generated.resolve(original.replace("Int", type));
        String marked = MARK.formatted(Path.of(original).getFileName()) + text;
        if (!Files.exists(file) || !Files.readString(file).equals(marked)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, marked);
        }
    }
}
