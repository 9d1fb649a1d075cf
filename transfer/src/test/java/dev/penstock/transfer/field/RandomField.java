package dev.penstock.transfer.field;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Structured fields at random, with whatever may be in one. */
final class RandomField {
    private static final String KEY_START = "abcxyz*";
    private static final String KEY = KEY_START + "019_-.";
    private static final String TOKEN = "aZ09!#$%&'*+-.^_`|~:/";
    private static final String DISPLAY = "a%\"\u00e9\u20ac\u0007\t \\z";

    private final RandomGenerator random;

    RandomField(RandomGenerator random) {
        this.random = random;
    }

    Map<String, FieldItem> dictionary() {
        Map<String, FieldItem> members = new LinkedHashMap<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.put(key(), member());
        }
        return members;
    }

    List<FieldItem> list() {
        List<FieldItem> members = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            members.add(member());
        }
        return members;
    }

    private FieldItem member() {
        if (random.nextInt(4) > 0) {
            return item();
        }
        List<FieldItem> items = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(item());
        }
        return new FieldItem(new FieldValue.Inner(items), parameters());
    }

    FieldItem item() {
        return new FieldItem(value(), parameters());
    }

    private Map<String, FieldValue> parameters() {
        Map<String, FieldValue> parameters = new LinkedHashMap<>();
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            parameters.put(key(), value());
        }
        return parameters;
    }

    private FieldValue value() {
        return switch (random.nextInt(8)) {
            case 0 -> new FieldValue.Whole(whole());
            case 1 ->
                    new FieldValue.Fraction(
                            BigDecimal.valueOf(random.nextLong(-1L << 40, 1L << 40) * 10 + 1, 3));
            case 2 -> new FieldValue.Text(text("aZ ~!\\\"", 0));
            case 3 -> new FieldValue.Token("t" + text(TOKEN, 0));
            case 4 -> new FieldValue.Flag(random.nextBoolean());
            case 5 -> new FieldValue.Time(whole());
            case 6 -> new FieldValue.Display(text(DISPLAY, 0));
            default -> {
                byte[] bytes = new byte[random.nextInt(70)];
                random.nextBytes(bytes);
                yield new FieldValue.Bytes(bytes);
            }
        };
    }

    private long whole() {
        return switch (random.nextInt(4)) {
            case 0 -> FieldValue.MOST;
            case 1 -> -FieldValue.MOST;
            default -> random.nextLong(-1_000, 1_000);
        };
    }

    private String key() {
        return text(KEY_START, 1).substring(0, 1) + text(KEY, 0);
    }

    private String text(String from, int least) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6) + least; i > 0; i--) {
            text.append(from.charAt(random.nextInt(from.length())));
        }
        return text.toString();
    }
}
