package com.example.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.shop.ServicePools.JdbcOrders;
import com.example.shop.ServicePools.Orders;
import com.example.shop.ServicePools.Statistics;
import dev.penstock.http.test.TestClient;
import dev.penstock.http.test.TestRequest;
import dev.penstock.http.test.TestResponse;
import dev.penstock.service.CallRejectedException;
import dev.penstock.service.ServiceException;
import dev.penstock.service.ServicePool;
import dev.penstock.service.ServicePoolBuilder;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The program of page 8. */
@Timeout(300)
class ServicePoolsIT {
    private static final DataSource SOURCE = Shop.source("jdbc:h2:mem:pools;DB_CLOSE_DELAY=-1");

    @BeforeAll
    static void create() throws SQLException {
        Shop.create(SOURCE, 10_000);
    }

    /** The page's pool, with deadlines that a busy machine does not miss. */
    private static ServicePoolBuilder<Orders> orders() {
        return ServicePools.orders(SOURCE).callTimeout(Duration.ofMinutes(4));
    }

    @Test
    void servicePools_eachRoute_doesWhatThePageSays() throws Exception {
        ServicePool<Orders> pool = orders().start();
        try (TestClient server = TestClient.overSocket(ServicePools.routes(pool))) {
            // Customer 8 has every thousandth purchase from 1 on: 0.37, 370.37, 740.37, ...
            assertThat(server.get("/spent/8").text()).isEqualTo("4653.70\n");
            assertThat(server.get("/spent/eight").status()).isEqualTo(400);
            assertThat(server.get("/most/8,15,8").text()).isEqualTo("4657.40\n");

            for (String status : new String[] {"packed", "sent", "back", "lost", "found"}) {
                assertThat(server.send(TestRequest.post("/note/17/" + status)).status())
                        .isEqualTo(202);
            }
            String noted = pool.key(17).call(orders -> orders.status(17));
            assertThat(noted).isEqualTo("found");

            assertThat(server.send(TestRequest.post("/pool/3")).text())
                    .startsWith("0 of at most 3 instances busy, 0 calls wait;")
                    .endsWith(" 0 refused, 0 restarts\n");
            assertThat(server.send(TestRequest.post("/pool/0")).status()).isEqualTo(400);
        }
        assertThatThrownBy(() -> pool.call(orders -> orders.spent(8)))
                .isInstanceOfSatisfying(
                        ServiceException.class,
                        closed ->
                                assertThat(closed.kind()).isEqualTo(ServiceException.Kind.CLOSED));
    }

    @Test
    void fullPool_oneMoreRequest_is503WithRetryAfter() throws Exception {
        ServicePool<Orders> pool = orders().size(1).queue(0).start();
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestClient server = TestClient.overSocket(ServicePools.routes(pool))) {
            CompletableFuture<String> slow =
                    pool.async(orders -> {
                        running.countDown();
                        go.await();
                        return orders.status(1);
                    });
            assertThat(running.await(2, TimeUnit.MINUTES)).isTrue();
            TestResponse refused = server.get("/spent/8");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.header("Retry-After")).isPresent();
            assertThat(server.get("/pool").text())
                    .startsWith("1 of at most 1 instances busy, 0 calls wait;")
                    .contains("1 refused");
            go.countDown();
            assertThat(slow.get(2, TimeUnit.MINUTES)).isEqualTo("paid");
        } finally {
            go.countDown();
        }
    }

    @Test
    void instanceWithABrokenConnection_afterOneFailure_hasANewOne() throws Exception {
        try (ServicePool<Orders> pool = orders().size(1).start()) {
            pool.run(orders -> ((JdbcOrders) orders).close());
            Orders orders = pool.proxy();
            assertThatThrownBy(() -> orders.spent(8)).isInstanceOf(SQLException.class);
            assertThat(orders.spent(8)).isEqualByComparingTo("4653.70");
            assertThat(pool.figures().restarts()).isEqualTo(1);
        }
    }

    @Test
    void sumsInAPartOfTheirOwn_thatIsFull_leaveTheOtherCallsTheirInstances() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ServicePool<Orders> pool =
                ServicePools.inParts(SOURCE).callTimeout(Duration.ofMinutes(4)).start()) {
            ServicePool<Orders> sums = pool.part("sums");
            List<CompletableFuture<Boolean>> slow = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                slow.add(sums.async(_ -> go.await(3, TimeUnit.MINUTES)));
            }
            assertThatThrownBy(() -> pool.proxy().spent(8))
                    .isInstanceOf(CallRejectedException.class)
                    .hasMessageContaining("Orders.sums");
            assertThat(pool.proxy().status(1)).isEqualTo("paid");
            go.countDown();
            for (CompletableFuture<Boolean> each : slow) {
                assertThat(each.get(2, TimeUnit.MINUTES)).isTrue();
            }
            assertThat(pool.proxy().spent(8)).isEqualByComparingTo("4653.70");
        }
    }

    @Test
    void serviceWithAPoolOfItsOwn_splitsACall_andClosesIt() throws Exception {
        ServicePool<Statistics> pool = ServicePools.statistics(SOURCE).start();
        BigDecimal most = pool.call(all -> all.most(List.of(8, 15, 8)));
        assertThat(most).isEqualByComparingTo("4657.40");
        pool.close();
        assertThatThrownBy(() -> pool.call(all -> all.most(List.of(8))))
                .isInstanceOf(ServiceException.class);
    }

    @Test
    void instancesOnThreads_shareTwo() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        try (ServicePool<Orders> pool =
                ServicePools.onThreads(SOURCE).callTimeout(Duration.ofMinutes(4)).start()) {
            for (int i = 0; i < 100; i++) {
                threads.add(pool.call(_ -> Thread.currentThread()));
            }
            assertThat(pool.proxy().spent(8)).isEqualByComparingTo("4653.70");
        }
        assertThat(threads).doesNotContain(Thread.currentThread());
        assertThat(threads.size()).isBetween(1, 2);
    }
}
