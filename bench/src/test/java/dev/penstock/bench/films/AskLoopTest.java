package dev.penstock.bench.films;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.films.Rating;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

class AskLoopTest {
    /** Says what it was asked. */
    private static final class Told implements FilmAsks {
        private final List<Object> told = new ArrayList<>();

        @Override
        public Ask ask(FilmQuestion question) {
            return Ask.any(question::toString);
        }

        @Override
        public long count(Rating rating) {
            told.add(rating);
            return 10;
        }

        @Override
        public IntSummaryStatistics complex(int skipped) {
            told.add(skipped);
            return new IntSummaryStatistics(1, 3, 3, 3);
        }
    }

    @Test
    void run_noTime_asksOnce() throws Exception {
        int[] asked = new int[1];

        AskLoop.Run run = AskLoop.run(Ask.number(() -> ++asked[0]), 0);

        assertThat(asked[0]).isEqualTo(1);
        assertThat(run.count()).isEqualTo(1);
    }

    @Test
    void run_someTime_countsEveryAnswer() throws Exception {
        long[] asked = new long[1];

        AskLoop.Run run = AskLoop.run(Ask.number(() -> ++asked[0]), 300_000_000);

        assertThat(run.count()).isEqualTo(asked[0]).isPositive();
        assertThat(run.nanos()).isGreaterThanOrEqualTo(300_000_000);
        assertThat(run.nanosEach()).isEqualTo((double) run.nanos() / asked[0]);
    }

    @Test
    void subQueries_most_areThatMany() throws Exception {
        Told told = new Told();

        AskLoop.Run run = AskLoop.subQueries(told, 1001, Long.MAX_VALUE);

        assertThat(run.count()).isEqualTo(1001);
        assertThat(told.told).hasSize(1001);
        assertThat(told.told.stream().filter(Rating.class::isInstance).distinct()).hasSize(5);
        assertThat(told.told.stream().filter(Integer.class::isInstance).distinct())
                .hasSizeGreaterThan(300)
                .allMatch(skipped -> (Integer) skipped >= 0 && (Integer) skipped < 995);
    }

    @Test
    void sumOfSubQueries_sameCount_isTheSame() throws Exception {
        assertThat(AskLoop.sumOfSubQueries(new Told(), 5)).isEqualTo(10 + 3 + 10 + 3 + 10);
    }
}
