package dev.penstock.query.sql.render;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Plan;
import dev.penstock.query.sql.statement.BoundComparison;
import dev.penstock.query.sql.statement.Dialect;
import dev.penstock.query.sql.statement.Literals;
import dev.penstock.query.sql.statement.SqlTable;
import dev.penstock.query.sql.statement.SqlTemplate;
import dev.penstock.query.sql.statement.UnsupportedPlanException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the SQL of plans, by their shape: only a plan of a new shape is written. Thread-safe.
 *
 * <p>What is compared decides a little more than the shape does: a time that is finer than the database's makes another
 * comparison, a zero has a sign. So a shape may have a few variants, told apart by the signature of its values.
 */
public final class StatementCache {
    private static final int MAX_SHAPES = 512;
    private static final int MAX_VARIANTS_PER_SHAPE = 8;
    private static final int MAX_TEXT = 16 * 1024;

    private final Map<String, SqlTable> tables;
    private final Map<QueryPath, Dialect> dialects;
    private final Map<Plan, Known> known = new ConcurrentHashMap<>();

    /**
     * @param dialects of the paths that the database has
     */
    public StatementCache(Map<String, SqlTable> tables, Map<QueryPath, Dialect> dialects) {
        this.tables = tables;
        this.dialects = Map.copyOf(dialects);
    }

    /** The variants of one shape, and how its values are made to fit. */
    private static final class Known {
        private final Literals.Binder[] binders;
        private final List<Variant> variants;

        Known(Literals.Binder[] binders, List<Variant> variants) {
            this.binders = binders;
            this.variants = variants;
        }

        BoundComparison[] bind(List<Object> literals) {
            BoundComparison[] comparisons = new BoundComparison[binders.length];
            for (int i = 0; i < comparisons.length; i++) {
                comparisons[i] = binders[i].bind(literals.get(i));
            }
            return comparisons;
        }

        @Nullable Variant variant(int[] signature) {
            for (Variant variant : variants) {
                if (Arrays.equals(variant.signature, signature)) {
                    return variant;
                }
            }
            return null;
        }
    }

    /**
     * The SQL of one shape and signature, for each path: that of streaming at once, the others when they are first
     * wanted.
     */
    static final class Variant {
        private final int[] signature;
        private final SqlTemplate streaming;
        private final Map<QueryPath, SqlTemplate> others = new ConcurrentHashMap<>();

        private Variant(int[] signature, SqlTemplate streaming) {
            this.signature = signature;
            this.streaming = streaming;
        }

        SqlTemplate streaming() {
            return streaming;
        }
    }

    /** Returns whether there is such a path. */
    public boolean has(QueryPath path) {
        return dialects.containsKey(path);
    }

    public Dialect dialect(QueryPath path) {
        return requireNonNull(dialects.get(path));
    }

    /**
     * Finds or writes the SQL of a plan.
     *
     * @throws UnsupportedPlanException if the database does not answer such a plan exactly
     */
    public PreparedPlan prepare(Plan plan) {
        PlanShape shape = PlanShape.of(plan);
        Known before = known.get(shape.plan());
        if (before != null) {
            BoundComparison[] comparisons = before.bind(shape.literals());
            Variant variant = before.variant(signature(comparisons));
            if (variant != null) {
                return new PreparedPlan(this, plan, shape, comparisons, variant);
            }
        }
        Literals literals = new Literals(shape.literals());
        SqlTemplate template = render(shape, literals, QueryPath.STREAMING);
        Variant variant = new Variant(signature(literals.comparisons()), template);
        remember(shape.plan(), before, literals, variant);
        return new PreparedPlan(this, plan, shape, literals.comparisons(), variant);
    }

    /** Returns the SQL of one path. What is learned of the answers' length is shared by all paths. */
    SqlTemplate template(PlanShape shape, Variant variant, QueryPath path) {
        if (path == QueryPath.STREAMING) {
            return variant.streaming;
        }
        SqlTemplate template = variant.others.get(path);
        if (template == null) {
            template =
                    render(shape, new Literals(shape.literals()), path)
                            .sharing(variant.streaming.length());
            variant.others.put(path, template);
        }
        return template;
    }

    private SqlTemplate render(PlanShape shape, Literals literals, QueryPath path) {
        return PlanSql.render(tables, shape.plan(), literals, dialect(path));
    }

    private void remember(Plan shape, @Nullable Known before, Literals literals, Variant variant) {
        if (variant.streaming.text().length() > MAX_TEXT) {
            return;
        }
        if (known.size() >= MAX_SHAPES) {
            known.clear();
        }
        List<Variant> variants =
                before == null || before.variants.size() >= MAX_VARIANTS_PER_SHAPE
                        ? List.of(variant)
                        : concat(before.variants, variant);
        known.put(shape, new Known(literals.binders(), variants));
    }

    private static List<Variant> concat(List<Variant> variants, Variant variant) {
        Variant[] all = variants.toArray(new Variant[variants.size() + 1]);
        all[variants.size()] = variant;
        return List.of(all);
    }

    private static int[] signature(BoundComparison[] comparisons) {
        int[] signature = new int[comparisons.length];
        for (int i = 0; i < signature.length; i++) {
            signature[i] = comparisons[i].signature();
        }
        return signature;
    }
}
