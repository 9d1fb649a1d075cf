package dev.penstock.http.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whose turn it is. */
final class FairQueueTest {
    private final List<String> admitted = new ArrayList<>();
    private final List<String> displaced = new ArrayList<>();
    private long now = 1;

    private final class Request implements PermitQueue.Waiter {
        private final String client;
        private final String name;

        Request(String client, int number) {
            this.client = client;
            this.name = client + number;
        }

        @Override
        public Object client() {
            return client;
        }

        @Override
        public boolean mayTakeAll() {
            return client.equals("proxy");
        }

        @Override
        public void admitted() {
            admitted.add(name);
        }

        @Override
        public void displaced() {
            displaced.add(name);
        }
    }

    private PermitQueue admission(int running, int waiting) {
        return new PermitQueue(running, waiting, Duration.ofMinutes(1), () -> now);
    }

    @Test
    void place_oneClientWithManyAndAnotherWithOne_theOneIsNext() {
        PermitQueue admission = admission(1, 1000);
        Request first = new Request("greedy", 0);
        admission.enter(first);
        for (int i = 1; i <= 500; i++) {
            assertThat(admission.enter(new Request("greedy", i)))
                    .isEqualTo(PermitQueue.Decision.WAIT);
        }
        admission.enter(new Request("modest", 1));
        admission.leave(first);
        assertThat(admitted).containsExactly("modest1");
    }

    @Test
    void places_ofThreeClients_areGivenInTurnAndInOrderForEach() {
        PermitQueue admission = admission(1, 100);
        Request running = new Request("z", 0);
        admission.enter(running);
        List<Request> requests = new ArrayList<>();
        for (String client : List.of("a", "b", "c")) {
            for (int i = 1; i <= 3; i++) {
                requests.add(new Request(client, i));
                admission.enter(requests.getLast());
            }
        }
        admission.leave(running);
        while (admission.waitingNow() > 0) {
            String last = admitted.getLast();
            admission.leave(
                    requests.stream().filter(r -> r.name.equals(last)).findFirst().orElseThrow());
        }
        assertThat(admitted).containsExactly("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3");
    }

    @Test
    void place_free_goesToTheClientThatHasTheFewestRunning() {
        PermitQueue admission = admission(3, 100);
        Request one = new Request("a", 1);
        admission.enter(one);
        admission.enter(new Request("a", 2));
        admission.enter(new Request("b", 1));
        admission.enter(new Request("a", 3));
        admission.enter(new Request("b", 2));
        admission.enter(new Request("c", 1));
        admission.leave(one);
        // Now a and b have one each, and c has had none.
        assertThat(admitted).containsExactly("c1");
    }

    @Test
    void queue_full_theLargestShareLosesItsNewestPlace() {
        PermitQueue admission = admission(1, 3);
        admission.enter(new Request("greedy", 0));
        for (int i = 1; i <= 3; i++) {
            admission.enter(new Request("greedy", i));
        }
        assertThat(admission.enter(new Request("greedy", 4)))
                .isEqualTo(PermitQueue.Decision.REFUSED);
        assertThat(displaced).isEmpty();
        assertThat(admission.enter(new Request("modest", 1))).isEqualTo(PermitQueue.Decision.WAIT);
        assertThat(displaced).containsExactly("greedy3");
        assertThat(admission.waitingNow()).isEqualTo(3);
        assertThat(admission.refused()).isEqualTo(2);
    }

    @Test
    void queue_fullOfEqualShares_refusesTheNewcomer() {
        PermitQueue admission = admission(1, 2);
        admission.enter(new Request("a", 1));
        admission.enter(new Request("b", 1));
        admission.enter(new Request("c", 1));
        assertThat(admission.enter(new Request("d", 1))).isEqualTo(PermitQueue.Decision.REFUSED);
        assertThat(displaced).isEmpty();
    }

    @Test
    void request_thatRanBefore_isNeverDisplacedAndGoesFirst() {
        PermitQueue admission = admission(1, 2);
        Request running = new Request("a", 0);
        admission.enter(running);
        admission.enter(new Request("a", 1));
        admission.reenter(new Request("a", 2));
        admission.reenter(new Request("a", 3));
        assertThat(admission.enter(new Request("b", 1))).isEqualTo(PermitQueue.Decision.WAIT);
        assertThat(displaced).containsExactly("a1");
        assertThat(admission.enter(new Request("c", 1))).isEqualTo(PermitQueue.Decision.REFUSED);
        admission.leave(running);
        assertThat(admitted).containsExactly("b1");
    }

    @Test
    void places_asManyAsOneClientMayTake_leaveSomeForOthers() {
        PermitQueue admission = admission(16, 100);
        List<Request> greedy = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            greedy.add(new Request("greedy", i));
            assertThat(admission.enter(greedy.getLast()))
                    .isEqualTo(i < 14 ? PermitQueue.Decision.RUN : PermitQueue.Decision.WAIT);
        }
        Request modest = new Request("modest", 1);
        assertThat(admission.enter(modest)).isEqualTo(PermitQueue.Decision.RUN);
        admission.leave(modest);
        assertThat(admitted).isEmpty();
        admission.leave(greedy.getFirst());
        assertThat(admitted).containsExactly("greedy14");
        assertThat(admission.runningNow()).isEqualTo(14);
    }

    @Test
    void places_ofAClientThatMayBeMany_areAll() {
        PermitQueue admission = admission(16, 100);
        for (int i = 0; i < 14; i++) {
            admission.enter(new Request("greedy", i));
        }
        assertThat(admission.enter(new Request("greedy", 14))).isEqualTo(PermitQueue.Decision.WAIT);
        for (int i = 0; i < 2; i++) {
            assertThat(admission.enter(new Request("proxy", i)))
                    .isEqualTo(PermitQueue.Decision.RUN);
        }
        PermitQueue alone = admission(16, 100);
        for (int i = 0; i < 16; i++) {
            assertThat(alone.enter(new Request("proxy", i))).isEqualTo(PermitQueue.Decision.RUN);
        }
    }

    @Test
    void refusingFor_noRefusal_isNothing() {
        PermitQueue admission = admission(1, 0);
        Request running = new Request("a", 0);
        admission.enter(running);
        assertThat(admission.refusingFor()).isZero();
        admission.enter(new Request("a", 1));
        now += 5;
        assertThat(admission.refusingFor()).isEqualTo(Duration.ofNanos(5));
        now += TimeUnit.SECONDS.toNanos(2);
        assertThat(admission.refusingFor()).as("two seconds without one").isZero();
    }

    /** Against a model that looks at everything: nobody is lost, admitted twice, or passed over. */
    @Test
    void requests_comingAndGoingByChance_keepEveryCountRight() {
        Random random = new Random(Long.getLong("penstock.seed", 1));
        PermitQueue admission = admission(4, 20);
        List<Request> running = new ArrayList<>();
        List<Request> waiting = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            int before = admitted.size();
            int lost = displaced.size();
            if (random.nextInt(3) > 0) {
                Request request = new Request("" + (char) ('a' + random.nextInt(6)), i);
                switch (admission.enter(request)) {
                    case RUN -> running.add(request);
                    case WAIT -> waiting.add(request);
                    case REFUSED -> assertThat(waiting).hasSize(20);
                }
            } else if (random.nextInt(4) == 0 && !waiting.isEmpty()) {
                Request request = waiting.remove(random.nextInt(waiting.size()));
                assertThat(admission.abandon(request, random.nextBoolean())).isTrue();
                assertThat(admission.abandon(request, true)).isFalse();
            } else if (!running.isEmpty()) {
                admission.leave(running.remove(random.nextInt(running.size())));
            }
            for (String name : admitted.subList(before, admitted.size())) {
                Request next = named(waiting, name);
                long least =
                        waiting.stream().mapToLong(r -> count(running, r.client)).min().orElse(0);
                assertThat(count(running, next.client)).isEqualTo(least);
                waiting.remove(next);
                running.add(next);
            }
            for (String name : displaced.subList(lost, displaced.size())) {
                waiting.remove(named(waiting, name));
            }
            assertThat(admission.waitingNow()).isEqualTo(waiting.size());
            assertThat(admission.runningNow()).isEqualTo(running.size());
        }
    }

    private static Request named(List<Request> requests, String name) {
        return requests.stream().filter(r -> r.name.equals(name)).findFirst().orElseThrow();
    }

    private static long count(List<Request> requests, String client) {
        return requests.stream().filter(r -> r.client.equals(client)).count();
    }

    @Test
    void place_ofAClientWithManyThatIsSlow_isGivenUpForOneWithTwoFewer() {
        PermitQueue admission = admission(4, 10);
        Request greedy = new Request("greedy", 0);
        admission.enter(greedy);
        for (int i = 1; i < 3; i++) {
            admission.enter(new Request("greedy", i));
        }
        Request modest = new Request("modest", 0);
        admission.enter(modest);
        admission.enter(new Request("greedy", 3));
        assertThat(admission.mustYield(greedy)).as("to itself").isFalse();
        admission.enter(new Request("third", 0));
        assertThat(admission.mustYield(modest)).as("with one").isFalse();
        assertThat(admission.mustYield(greedy)).as("with three").isTrue();
        assertThat(admission.mustYield(greedy)).as("two at once").isFalse();
        now += TimeUnit.MILLISECONDS.toNanos(250);
        assertThat(admission.mustYield(greedy)).as("the next, in time").isTrue();
        admission.leave(greedy);
        assertThat(admitted).containsExactly("third0");
    }

    @Test
    void place_ofAProxyThatIsSlow_isGivenUpForItsOwnToo() {
        PermitQueue admission = admission(2, 10);
        Request slow = new Request("proxy", 0);
        admission.enter(slow);
        admission.enter(new Request("proxy", 1));
        assertThat(admission.mustYield(slow)).as("nobody waits").isFalse();
        admission.enter(new Request("proxy", 2));
        assertThat(admission.mustYield(slow)).isTrue();
    }
}
