package dev.penstock.query.typed.pushdown;

import static java.util.Objects.requireNonNull;

import dev.penstock.query.Engine;
import dev.penstock.query.Plan;
import dev.penstock.query.Predicate;
import dev.penstock.query.QueryException;
import dev.penstock.query.typed.field.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a recording that an engine runs: the longest plan that it answers exactly, and what is left to the JVM.
 * Of a filter that the engine refuses it is sent the narrowest condition that holds wherever the filter does, and the
 * filters and orders behind it are still sent.
 *
 * @param plan what the engine is asked
 * @param read the recording whose elements the plan's rows are
 * @param conditions the filters that the JVM applies first
 * @param rest the operations that it replays then
 * @param reasons why; empty where nothing is left
 */
public record Pushdown(
        Plan plan,
        Recording<?> read,
        List<Condition<?>> conditions,
        List<StreamOperation> rest,
        List<String> reasons) {

    public static Pushdown of(Recording<?> recording) {
        Plan whole = recording.plan();
        if (refusal(recording.mapping().engine(), whole) == null) {
            return new Pushdown(whole, recording, List.of(), List.of(), List.of());
        }
        return longest(recording);
    }

    /** Returns why an engine does not answer a plan; null if it does. A value that no row can have is such a reason. */
    public static @Nullable String refusal(Engine engine, Plan plan) {
        try {
            return engine.refusal(plan).orElse(null);
        } catch (QueryException e) {
            return reason(e);
        }
    }

    private static String reason(QueryException e) {
        if (e.kind() != QueryException.Kind.INVALID_PLAN) {
            throw e;
        }
        return String.valueOf(e.getMessage());
    }

    private static <R> Pushdown longest(Recording<R> recording) {
        Engine engine = recording.mapping().engine();
        List<Recording<R>> all = recording.all();
        Recording<R> read = all.getFirst();
        Plan plan = read.plan();
        List<Condition<?>> conditions = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        int next = 1;
        for (; next < all.size(); next++) {
            Recording<R> each = all.get(next);
            if (each.operation() instanceof StreamOperation.Filter(Condition<?> condition)) {
                for (Condition<?> part : condition.parts()) {
                    Predicate predicate = recording.mapping().predicate(part);
                    int before = reasons.size();
                    plan = filter(engine, plan, predicate, reasons);
                    if (reasons.size() > before) {
                        conditions.add(part);
                    }
                }
            } else if (!conditions.isEmpty()
                    && !(each.operation() instanceof StreamOperation.Sorted)) {
                break;
            } else {
                Plan longer = each.apply(plan);
                String refusal = refusal(engine, longer);
                if (refusal != null) {
                    reasons.add(requireNonNull(each.operation()).name() + ": " + refusal);
                    break;
                }
                plan = longer;
            }
            read = each;
        }
        List<StreamOperation> rest = new ArrayList<>();
        all.subList(next, all.size()).forEach(each -> rest.add(requireNonNull(each.operation())));
        return new Pushdown(plan, read, conditions, rest, reasons);
    }

    /** Orders a plan by its table's key, if it has no order and the engine takes that. */
    public static Plan inKeyOrder(Engine engine, Plan plan) {
        Plan ordered = Recording.inKeyOrder(plan);
        return refusal(engine, ordered) == null ? ordered : plan;
    }

    private static Plan filter(
            Engine engine, Plan plan, Predicate predicate, List<String> reasons) {
        Plan filtered = plan;
        List<Predicate> parts =
                predicate instanceof Predicate.And(List<Predicate> all) ? all : List.of(predicate);
        for (Predicate part : parts) {
            String refusal = refusal(engine, filtered.where(part));
            if (refusal == null) {
                filtered = filtered.where(part);
            } else {
                reasons.add("filter: " + refusal);
                Plan narrowed = filtered.where(superset(engine, plan, part));
                filtered = refusal(engine, narrowed) == null ? narrowed : filtered;
            }
        }
        return filtered;
    }

    private static Predicate superset(Engine engine, Plan plan, Predicate predicate) {
        try {
            return engine.superset(plan.table(), predicate);
        } catch (QueryException e) {
            reason(e);
            return Predicate.ALL;
        }
    }
}
