package dev.penstock.daytrader.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.daytrader.session.Passwords;
import dev.penstock.daytrader.trade.TradeServices;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The full population. Its time is printed, not asserted: that is for a quiet machine. */
class PopulationIT {
    @ParameterizedTest
    @EnumSource
    void populate_standard_booksBalance(TradeDatabase.Kind kind) throws SQLException {
        try (TradeDatabase database = TradeDatabase.create(kind)) {
            TradeStore store =
                    new TradeStore(
                            database.source(), new Passwords(Passwords.DEFAULT_ITERATIONS), false);
            List<Integer> percents = new ArrayList<>();
            long start = System.nanoTime();
            store.populate(Population.STANDARD, (_, percent) -> percents.add(percent));
            System.out.printf("%s: populated in %.1f s%n", kind, (System.nanoTime() - start) / 1e9);
            assertThat(percents).isSorted().hasSizeGreaterThan(10).endsWith(100);
            assertThat(store.checkBooks().broken()).isEmpty();
            try (TradeServices trade = store.services()) {
                assertThat(trade.getQuote("s:9999").companyName()).isEqualTo("S9999 Incorporated");
                assertThat(trade.getAccountData("uid:14999").balance())
                        .isBetween(
                                new java.math.BigDecimal("200000"),
                                new java.math.BigDecimal("300000"));
            }
        }
    }
}
