package dev.penstock.follow.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementEffectTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            textBlock =
                    """
                    COMMIT | COMMIT
                    ROLLBACK | COMMIT
                    rollback  to `s` | NONE
                    ROLLBACK TO SAVEPOINT s | NONE
                    SAVEPOINT `s` | NONE
                    BEGIN | NONE
                    XA END X'31',X'',1 | NONE
                    XA COMMIT X'31',X'',1 | XA_COMMIT
                    xa  rollback X'31',X'',1 | XA_ROLLBACK
                    CREATE TABLE t (a INT) | DEFINITION
                    create or replace table t (a int) | DEFINITION
                    TRUNCATE TABLE t | DEFINITION
                    DROP DATABASE d | DEFINITION
                    RENAME TABLE a TO b | DEFINITION
                    /*!40000 ALTER TABLE `t` DISABLE KEYS */ | DEFINITION
                    /*M!100100 ALTER TABLE t FORCE */ | DEFINITION
                    /* a * b / c */ -- d | ANY_ROWS
                    /* INSERT */ ALTER TABLE t FORCE | DEFINITION
                    GRANT SELECT ON t TO u | NONE
                    ANALYZE TABLE t | NONE
                    INSERT INTO t VALUES (1) | ANY_ROWS
                    SET STATEMENT max_statement_time=1 FOR DELETE FROM t | ANY_ROWS
                    WITH c AS (SELECT 1) DELETE FROM t | ANY_ROWS
                    (SELECT f()) | ANY_ROWS
                    LOAD DATA INFILE 'x' INTO TABLE t | ANY_ROWS
                    ~~ | ANY_ROWS
                    """)
    void of_statement_effect(String sql, StatementEffect effect) {
        assertThat(StatementEffect.of(sql)).isEqualTo(effect);
    }

    @Test
    void of_commentsInLines_lookedBehind() {
        assertThat(StatementEffect.of("-- one\n# two\n/* three\n*/\tDROP TABLE t"))
                .isEqualTo(StatementEffect.DEFINITION);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    DROP TABLE t             | t    | true
                    DROP TABLE `T`           | t    | true
                    DROP TABLE d.t,x         | t    | true
                    DROP TABLE tt, t_, t$, 1t | t   | false
                    DROP TABLE é.t           | t    | true
                    DROP TABLE x             | é    | true
                    DROP TABLE x             | a"b  | true
                    DROP TABLE x             | a`b  | true
                    DROP TABLE \uFFFD        | t    | true
                    ALTER TABLE `my table` FORCE | my table | true
                    """)
    void mayName_statement_saidIfItMay(String sql, String name, boolean may) {
        assertThat(StatementEffect.mayName(sql, name)).isEqualTo(may);
    }
}
