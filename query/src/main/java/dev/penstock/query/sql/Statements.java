package dev.penstock.query.sql;

import dev.penstock.query.Plan;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of the plans so far, by their shape: only a plan of a new shape is written anew. Thread-safe.
 *
 * <p>What is compared decides a little more than the shape does: a time that is finer than the database's makes another
 * comparison, a zero has a sign. So a shape may have a few templates, told apart by the signature of its values.
 */
final class Statements {
    private static final int MAX_SHAPES = 512;
    private static final int MAX_TEMPLATES_PER_SHAPE = 8;
    private static final int MAX_TEXT = 16 * 1024;

    private final Map<String, SqlTable> tables;
    private final Dialect dialect;
    private final Map<Plan, Known> known = new ConcurrentHashMap<>();

    Statements(Map<String, SqlTable> tables, Dialect dialect) {
        this.tables = tables;
        this.dialect = dialect;
    }

    /** What is known of one shape. */
    private static final class Known {
        private final Literals.Fitting[] fittings;
        private final List<Variant> variants;

        Known(Literals.Fitting[] fittings, List<Variant> variants) {
            this.fittings = fittings;
            this.variants = variants;
        }

        Fitted[] fit(List<Object> literals) {
            Fitted[] fitted = new Fitted[fittings.length];
            for (int i = 0; i < fitted.length; i++) {
                fitted[i] = fittings[i].fit(literals.get(i));
            }
            return fitted;
        }

        @Nullable SqlTemplate template(int[] signature) {
            for (Variant variant : variants) {
                if (Arrays.equals(variant.signature, signature)) {
                    return variant.template;
                }
            }
            return null;
        }
    }

    private static final class Variant {
        private final int[] signature;
        private final SqlTemplate template;

        Variant(int[] signature, SqlTemplate template) {
            this.signature = signature;
            this.template = template;
        }
    }

    SqlQuery query(Shape shape) {
        Known before = known.get(shape.plan());
        if (before != null) {
            Fitted[] fitted = before.fit(shape.literals());
            SqlTemplate template = before.template(signature(fitted));
            if (template != null) {
                return template.query(fitted);
            }
        }
        Literals literals = new Literals(shape.literals());
        SqlTemplate template = PlanSql.render(tables, shape.plan(), literals, dialect);
        remember(shape.plan(), before, literals, template);
        return template.query(literals.fitted());
    }

    private void remember(
            Plan shape, @Nullable Known before, Literals literals, SqlTemplate template) {
        if (template.text().length() > MAX_TEXT) {
            return;
        }
        if (known.size() >= MAX_SHAPES) {
            known.clear();
        }
        Variant variant = new Variant(signature(literals.fitted()), template);
        List<Variant> variants =
                before == null || before.variants.size() >= MAX_TEMPLATES_PER_SHAPE
                        ? List.of(variant)
                        : concat(before.variants, variant);
        known.put(shape, new Known(literals.fittings(), variants));
    }

    private static List<Variant> concat(List<Variant> variants, Variant variant) {
        Variant[] all = variants.toArray(new Variant[variants.size() + 1]);
        all[variants.size()] = variant;
        return List.of(all);
    }

    private static int[] signature(Fitted[] fitted) {
        int[] signature = new int[fitted.length];
        for (int i = 0; i < signature.length; i++) {
            signature[i] = fitted[i].signature();
        }
        return signature;
    }
}
