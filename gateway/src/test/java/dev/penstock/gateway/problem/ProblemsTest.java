package dev.penstock.gateway.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.http.HttpException;
import dev.penstock.query.QueryException;
import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the errors that clients get when the database fails. */
final class ProblemsTest {
    @ParameterizedTest
    @CsvSource({
        "08000, 0",
        "08003, 0",
        "08006, 0",
        "08S01, 0",
        "57P01, 0",
        "57P02, 0",
        "57P03, 0",
        "57P05, 0",
        "70100, 1927",
        "08S01, 1053",
        "HY000, 4031",
        "90067, 90067",
        "90098, 90098",
        "90121, 90121"
    })
    void connection_thatHasEnded_isToBeTriedAgain(String state, int code) {
        assertThat(told(new SQLException("of a test", state, code)).status()).isEqualTo(503);
        SQLException wrapped = new SQLException("of a pool", "HY000");
        wrapped.initCause(new SQLException("of a test", state, code));
        assertThat(told(wrapped).status()).isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({"57014, 0", "57P04, 0", "70100, 1317", "XX000, 0", "22012, 0", ", 0"})
    void failure_ofTheQueryItself_isTheServers(String state, int code) {
        assertThat(told(new SQLException("of a test", state, code)).status()).isEqualTo(500);
    }

    private static HttpException told(SQLException failure) {
        return Problems.told(
                new QueryException(QueryException.Kind.DATABASE, "reading failed", failure));
    }
}
