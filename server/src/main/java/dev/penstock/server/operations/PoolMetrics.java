package dev.penstock.server.operations;

import dev.penstock.service.PoolFigures;
import dev.penstock.service.PoolFigures.Histogram;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The metrics of service pools, each with its pool's name as {@code pool}. The figures of a pool are added up once for
 * each scrape, so that all of its series are of one moment, and so that counting costs its calls nothing. Thread-safe.
 */
final class PoolMetrics implements MultiCollector {
    /** The bounds of the histograms are from {@code 2^FIRST} nanoseconds, a microsecond, to {@code 2^LAST}, 69 s. */
    private static final int FIRST = 10;

    private static final int LAST = 36;
    private static final double NANOS = 1e9;

    private final Supplier<List<PoolFigures>> pools;

    PoolMetrics(Supplier<List<PoolFigures>> pools) {
        this.pools = pools;
    }

    @Override
    public MetricSnapshots collect() {
        List<PoolFigures> figures = pools.get();
        return figures.isEmpty()
                ? MetricSnapshots.of()
                : new MetricSnapshots(
                        gauge(
                                "size",
                                "Instances: idle, busy and starting",
                                figures,
                                PoolFigures::size),
                        gauge("min", "The least instances", figures, PoolFigures::min),
                        gauge("max", "The most instances", figures, PoolFigures::max),
                        gauge("idle", "Instances that wait for a call", figures, PoolFigures::idle),
                        gauge("busy", "Instances that run a call", figures, PoolFigures::busy),
                        gauge(
                                "starting",
                                "Instances that are being made, or wait for their next attempt",
                                figures,
                                PoolFigures::starting),
                        gauge(
                                "quarantined",
                                "Instances whose call is over its deadline and has not ended",
                                figures,
                                PoolFigures::quarantined),
                        gauge(
                                "stopped",
                                "Instances that the supervision has stopped for good",
                                figures,
                                PoolFigures::stopped),
                        gauge("waiting", "Calls in the queue", figures, PoolFigures::waiting),
                        longestWait(figures),
                        counter(
                                "calls",
                                "Calls that ran to their end",
                                figures,
                                PoolFigures::calls),
                        counter("failures", "Those that threw", figures, PoolFigures::failures),
                        counter(
                                "rejections",
                                "Calls that found the queue full",
                                figures,
                                PoolFigures::rejections),
                        counter(
                                "timeouts",
                                "Calls that did not end in time",
                                figures,
                                PoolFigures::timeouts),
                        counter(
                                "restarts",
                                "Instances that were made anew",
                                figures,
                                PoolFigures::restarts),
                        histogram(
                                "queue_time_seconds",
                                "How long calls waited for an instance",
                                figures,
                                PoolFigures::queueTime),
                        histogram(
                                "call_time_seconds",
                                "How long calls ran",
                                figures,
                                PoolFigures::callTime));
    }

    private static String name(String figure) {
        return "service_pool_" + figure;
    }

    private static Labels labels(PoolFigures pool) {
        return Labels.of("pool", pool.name());
    }

    private static GaugeSnapshot gauge(
            String figure,
            String help,
            List<PoolFigures> pools,
            ToDoubleFunction<PoolFigures> value) {
        GaugeSnapshot.Builder metric = GaugeSnapshot.builder().name(name(figure)).help(help);
        pools.forEach(pool -> metric.dataPoint(point(pool, value)));
        return metric.build();
    }

    private static GaugeSnapshot longestWait(List<PoolFigures> pools) {
        GaugeSnapshot.Builder metric =
                GaugeSnapshot.builder()
                        .name(name("longest_wait_seconds"))
                        .help("How long the first call in the queue has waited")
                        .unit(Unit.SECONDS);
        pools.forEach(pool ->
                metric.dataPoint(point(pool, each -> each.longestWait().toNanos() / NANOS)));
        return metric.build();
    }

    private static GaugeDataPointSnapshot point(
            PoolFigures pool, ToDoubleFunction<PoolFigures> value) {
        return GaugeDataPointSnapshot.builder()
                .labels(labels(pool))
                .value(value.applyAsDouble(pool))
                .build();
    }

    private static CounterSnapshot counter(
            String figure,
            String help,
            List<PoolFigures> pools,
            ToLongFunction<PoolFigures> value) {
        CounterSnapshot.Builder metric = CounterSnapshot.builder().name(name(figure)).help(help);
        for (PoolFigures pool : pools) {
            metric.dataPoint(
                    CounterDataPointSnapshot.builder()
                            .labels(labels(pool))
                            .value((double) value.applyAsLong(pool))
                            .build());
        }
        return metric.build();
    }

    private static HistogramSnapshot histogram(
            String figure,
            String help,
            List<PoolFigures> pools,
            Function<PoolFigures, Histogram> value) {
        HistogramSnapshot.Builder metric =
                HistogramSnapshot.builder().name(name(figure)).help(help).unit(Unit.SECONDS);
        for (PoolFigures pool : pools) {
            Histogram histogram = value.apply(pool);
            metric.dataPoint(
                    HistogramDataPointSnapshot.builder()
                            .labels(labels(pool))
                            .classicHistogramBuckets(buckets(histogram))
                            .sum(histogram.totalNanos() / NANOS)
                            .build());
        }
        return metric.build();
    }

    /** Returns the buckets with seconds for bounds; the first and the last one have all beyond them, too. */
    static ClassicHistogramBuckets buckets(Histogram histogram) {
        List<Double> bounds = new ArrayList<>();
        List<Long> counts = new ArrayList<>();
        long count = 0;
        for (int bucket = 0; bucket < Histogram.BUCKETS; bucket++) {
            count += histogram.count(bucket);
            boolean last = bucket == Histogram.BUCKETS - 1;
            if (last || (bucket >= FIRST && bucket <= LAST)) {
                bounds.add(last ? Double.POSITIVE_INFINITY : Histogram.bound(bucket) / NANOS);
                counts.add(count);
                count = 0;
            }
        }
        return ClassicHistogramBuckets.of(bounds, counts);
    }
}
