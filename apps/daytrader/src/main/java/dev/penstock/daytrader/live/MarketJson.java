package dev.penstock.daytrader.live;

import dev.penstock.daytrader.trade.MarketSummary;
import dev.penstock.daytrader.trade.Quote;
import dev.penstock.http.text.JsonText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The JSON of stocks and the market, with the members that clients of the public application know. */
public final class MarketJson {
    private static final int DIGITS = 2;

    private MarketJson() {}

    static String summary(MarketSummary market) {
        JsonText json = new JsonText().object();
        listed(json, "gainer", market.gainers());
        listed(json, "loser", market.losers());
        return json.member("tsia", market.average().toPlainString())
                .member("volume", BigDecimal.valueOf(market.volume()).toPlainString())
                .member("date", market.date().toString())
                .endObject()
                .toString();
    }

    static String changes(List<Quote> quotes) {
        JsonText json = new JsonText().object();
        listed(json, "change", quotes);
        return json.endObject().toString();
    }

    private static void listed(JsonText json, String name, List<Quote> quotes) {
        int number = 1;
        for (Quote quote : quotes) {
            String prefix = name + number++;
            json.member(prefix + "_stock", quote.symbol())
                    .member(prefix + "_price", quote.price().toPlainString())
                    .member(
                            prefix + "_change",
                            BigDecimal.valueOf(quote.change())
                                    .setScale(DIGITS, RoundingMode.HALF_UP)
                                    .toPlainString());
        }
    }

    /** An array of stocks. */
    public static String quotes(List<Quote> quotes) {
        StringBuilder array = new StringBuilder("[");
        for (Quote quote : quotes) {
            if (array.length() > 1) {
                array.append(',');
            }
            array.append(
                    new JsonText()
                            .object()
                            .member("symbol", quote.symbol())
                            .member("companyName", quote.companyName())
                            .member("price", quote.price().doubleValue(), DIGITS)
                            .member("open", quote.open().doubleValue(), DIGITS)
                            .member("low", quote.low().doubleValue(), DIGITS)
                            .member("high", quote.high().doubleValue(), DIGITS)
                            .member("change", quote.change(), DIGITS)
                            .member("volume", quote.volume(), 0)
                            .endObject());
        }
        return array.append(']').toString();
    }
}
