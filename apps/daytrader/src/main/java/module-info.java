/** DayTrader: stocks, accounts and orders in a database, on pages, by REST and live. */
@org.jspecify.annotations.NullMarked
module dev.penstock.daytrader {
    requires static transitive org.jspecify;
    requires transitive dev.penstock.http;
    requires transitive dev.penstock.service;
    requires transitive java.sql;
    requires gg.jte.runtime;

    exports dev.penstock.daytrader;
    exports dev.penstock.daytrader.run;
    exports dev.penstock.daytrader.session;
    exports dev.penstock.daytrader.store;
    exports dev.penstock.daytrader.trade;

    // The style sheet and the script lie beside the pages, and Resource reads them.
    opens dev.penstock.daytrader.page to
            dev.penstock.http;
    // The templates' fixed parts lie beside their classes as resources, which jte's runtime reads.
    opens dev.penstock.daytrader.templates to
            gg.jte.runtime;
}
