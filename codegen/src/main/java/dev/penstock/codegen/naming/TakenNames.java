package dev.penstock.codegen.naming;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The names that are taken in one place, so that each is given once. Not thread-safe. */
public final class TakenNames {
    /** What generated code uses by its simple name, or a program beside it is likely to. */
    private static final Set<String> TYPES =
            Set.of(
                    """
                    BigDecimal BigInteger BinaryField BooleanField CharField Cursor Database DoubleField Entity
                    EnumField FloatField ForeignKey Instant IntField List LocalDate LocalDateTime LocalTime LongField
                    Main NullMarked Nullable Objects Arrays Referrers Stream TextField TypedTable UUID ValueField\
                    """
                            .split("\\s+"));

    /** What can't be the name of a file somewhere. */
    private static final Set<String> DEVICES =
            Set.of(
                    """
                    con prn aux nul com1 com2 com3 com4 com5 com6 com7 com8 com9
                    lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9\
                    """
                            .split("\\s+"));

    /** The same without regard to case, since classes are files. */
    private static final Set<String> FILES =
            Stream.concat(TYPES.stream(), DEVICES.stream())
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .collect(Collectors.toUnmodifiableSet());

    /** Words of the language where a type stands, and names that every class has. */
    private static final Set<String> RESTRICTED =
            Set.of("TABLE", "java", "permits", "record", "row", "sealed", "var", "yield");

    private final Set<String> taken = new HashSet<>();
    private final Set<String> exact = new HashSet<>();
    private final boolean ofTypes;

    /**
     * No name is taken yet.
     *
     * @param ofTypes whether names that differ in case alone are the same, since they are the same file somewhere
     */
    public TakenNames(boolean ofTypes) {
        this.ofTypes = ofTypes;
    }

    /** Takes a name; returns false where it is taken. */
    public boolean take(String name) {
        exact.add(name);
        return taken.add(ofTypes ? name.toLowerCase(Locale.ROOT) : name);
    }

    public boolean isTaken(String name) {
        return taken.contains(ofTypes ? name.toLowerCase(Locale.ROOT) : name);
    }

    /** Returns whether that very name is taken, whatever names are the same. */
    public boolean isTakenExactly(String name) {
        return exact.contains(name);
    }

    /** Takes the name, or where that is taken the first with a number behind it that is not. */
    public String free(String name) {
        String free = name;
        for (int n = 2; !take(free); n++) {
            free = name + (Character.isDigit(name.charAt(name.length() - 1)) ? "_" : "") + n;
        }
        return free;
    }

    /** Returns whether there can be no class of that name, or it would stand before one that generated code uses. */
    public static boolean isUsedType(String name) {
        return FILES.contains(name.toLowerCase(Locale.ROOT))
                || RESTRICTED.contains(name)
                || isTypeOfJava(name);
    }

    /**
     * Returns whether a field of that name would stand before a class of which generated code uses methods; of UUID it
     * uses none.
     */
    public static boolean hidesType(String name) {
        return (TYPES.contains(name) && !name.equals("UUID")) || isTypeOfJava(name);
    }

    private static boolean isTypeOfJava(String name) {
        try {
            Class.forName("java.lang." + name, false, null);
            return true;
        } catch (ClassNotFoundException | NoClassDefFoundError _) {
            return false;
        }
    }
}
