package dev.penstock.transfer.draft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.transfer.field.FieldItem;
import dev.penstock.transfer.field.FieldValue;
import dev.penstock.transfer.field.StructuredField;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of the differences between the interop versions of the draft. */
final class DraftVersionTest {
    @ParameterizedTest
    @CsvSource({
        "3,Upload-Incomplete,?0,?1,201",
        "4,Upload-Complete,?1,?0,201",
        "5,Upload-Complete,?1,?0,204",
        "6,Upload-Complete,?1,?0,204",
        "7,Upload-Complete,?1,?0,204",
        "8,Upload-Complete,?1,?0,204"
    })
    void completeness_isSaidInTheWordsOfTheVersion(
            int number, String header, String complete, String incomplete, int status) {
        DraftVersion version = DraftVersion.of(number).orElseThrow();
        assertThat(version.completeHeader()).isEqualTo(header);
        assertThat(version.complete(true)).isEqualTo(complete);
        assertThat(version.complete(false)).isEqualTo(incomplete);
        assertThat(version.appendedStatus()).isEqualTo(status);
    }

    @Test
    void versions_thatAreNotKnown_areNone() {
        assertThat(List.of(0L, 1L, 2L, 9L, Long.MAX_VALUE))
                .allSatisfy(number -> assertThat(DraftVersion.of(number)).isEmpty());
    }

    @Test
    void limits_areADictionary_neverAnEmptyOne() throws Exception {
        Optional<Duration> hour = Optional.of(Duration.ofHours(1));
        assertThat(DraftVersion.V6.limits(OptionalLong.of(7), hour))
                .isEqualTo("max-size=7, expires=3600");
        assertThat(DraftVersion.V7.limits(OptionalLong.empty(), hour)).isEqualTo("max-age=3600");
        assertThat(DraftVersion.V8.limits(OptionalLong.empty(), Optional.empty()))
                .isEqualTo("min-size=0");
        assertThat(
                        StructuredField.dictionary(
                                List.of(DraftVersion.V8.limits(OptionalLong.of(7), hour))))
                .containsEntry("max-age", FieldItem.of(new FieldValue.Whole(3600)));
    }
}
