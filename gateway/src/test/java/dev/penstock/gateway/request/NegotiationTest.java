package dev.penstock.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.format.RowFormat;
import dev.penstock.gateway.BulkRequests;
import dev.penstock.gateway.RequestHead;
import dev.penstock.http.HttpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NegotiationTest {
    private final Negotiation negotiation = new Negotiation(RowFormat.all());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*/* | json",
                "application/json | json",
                "text/csv | csv",
                "TEXT/CSV;charset=utf-8 | csv",
                "text/html | html",
                "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | html",
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8 | html",
                "application/xml | xml",
                "text/xml | xml",
                "application/x-ndjson | ndjson",
                "application/ndjson | ndjson",
                "text/csv;q=0.5, application/xml;q=0.7 | xml",
                "application/json;q=0.1, text/* | csv",
                "text/html, text/csv | html",
                "text/csv, text/html | csv",
                "*/*, text/csv | csv",
                "application/json;q=0, */* | ndjson",
                "image/png, */*;q=0.1 | json",
                "application/vnd.pgrst.array+json | json",
                "text/csv; q=0.3, text/csv;header=present | csv"
            })
    void accept_asClientsWriteIt_picksTheBest(String accept, String format) {
        assertThat(negotiation.choose(new RequestHead("").with("Accept", accept)).name())
                .isEqualTo(format);
    }

    @Test
    void accept_absentOrInSeveralHeaders_isRead() {
        assertThat(negotiation.choose(new RequestHead("")).name()).isEqualTo("json");
        assertThat(negotiation.choose(new RequestHead("").with("Accept", "")).name())
                .isEqualTo("json");
        RequestHead two =
                new RequestHead("").with("Accept", "text/csv;q=0.1").with("accept", "text/html");
        assertThat(negotiation.choose(two).name()).isEqualTo("html");
    }

    @Test
    void formatParameter_winsOverAccept() {
        RequestHead head = new RequestHead("format=CSV").with("Accept", "text/html");
        assertThat(negotiation.choose(head)).isEqualTo(RowFormat.CSV);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "format=yaml | */*",
                "'' | image/png",
                "'' | application/json;q=0",
                "format= | text/csv",
                "'' | text/csv;q=x",
                "'' | nonsense"
            })
    void format_thatIsNone_is406AndListsThem(String query, String accept) {
        RequestHead head = new RequestHead(query).with("Accept", accept);
        HttpException error =
                catchThrowableOfType(HttpException.class, () -> negotiation.choose(head));
        assertThat(error.status()).isEqualTo(406);
        assertThat(error.members().get("formats"))
                .isEqualTo(List.of("json", "ndjson", "csv", "html", "xml"));
        assertThat(error).hasMessageContaining("json, ndjson, csv, html, xml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | true",
                "limit=1000 | false",
                "limit=1001 | true",
                "limit=99999999999999999999 | false",
                "limit=9223372036854775807 | true",
                "limit=x | false",
                "offset=5 | true",
                "select=a | true",
                "limit=0 | false"
            })
    void bulk_isDecidedByTheLimit(String query, boolean bulk) {
        assertThat(BulkRequests.isBulk(new RequestHead(query))).isEqualTo(bulk);
    }

    @Test
    void bulk_withHeaders_isDecidedByThem() {
        assertThat(BulkRequests.isBulk(new RequestHead("").with("Range", "0-999"))).isFalse();
        assertThat(BulkRequests.isBulk(new RequestHead("").with("Range", "0-1000"))).isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("").with("Range", "0-"))).isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("").with("Range", "bytes=0-9"))).isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("limit=1").with("Prefer", "count=exact")))
                .isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("").with("Range", "900000-900009")))
                .isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("HEAD", ""))).isFalse();
        assertThat(BulkRequests.isBulk(new RequestHead("HEAD", "").with("Range", "0-"))).isTrue();
        assertThat(BulkRequests.isBulk(new RequestHead("HEAD", "").with("Range", "0-9"))).isFalse();
        assertThat(BulkRequests.isBulk(new RequestHead("HEAD", "limit=5").with("Range", "0-")))
                .isFalse();
    }
}
