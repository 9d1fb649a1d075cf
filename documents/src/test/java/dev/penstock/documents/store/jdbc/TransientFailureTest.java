package dev.penstock.documents.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class TransientFailureTest {
    @Test
    void transientFailure_recordChangedSinceLastRead_isTriedAgain() {
        var changed =
                new SQLException("Record has changed since last read in table", "HY000", 1020);
        assertThat(new MySqlDialect(true).transientFailure(changed)).isTrue();
        var deadlock = new SQLException("Deadlock found", "40001", 1213);
        assertThat(new MySqlDialect(true).transientFailure(deadlock)).isTrue();
        var syntax = new SQLException("You have an error in your SQL syntax", "42000", 1064);
        assertThat(new MySqlDialect(true).transientFailure(syntax)).isFalse();
    }
}
