package dev.penstock.server.config.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizeConverterTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "1023, 1023",
        "64k, 65536",
        "500m, 524288000",
        "20g, 21474836480",
        "2t, 2199023255552",
        "1025k, 1049600"
    })
    void convert_anySize_isReadAndWritten(String text, long bytes) {
        assertThat(new SizeConverter().convert(text)).isEqualTo(bytes);
        assertThat(SizeConverter.text(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "-1", "1.5g", "1 g", "1gb", "0x1", "9999999999999999"})
    void convert_noSize_isRefused(String text) {
        assertThatThrownBy(() -> new SizeConverter().convert(text))
                .isInstanceOf(TypeConversionException.class)
                .hasMessage(
                        "'" + text + "' is no size, which is written like 64k, 500m, 20g or 2t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8388608t", "999999999999999g"})
    void convert_moreThanThereCanBe_isRefused(String text) {
        assertThatThrownBy(() -> new SizeConverter().convert(text))
                .hasMessage("'" + text + "' is more bytes than there can be");
    }
}
