package dev.penstock.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResponseHeadersTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                " | Accept | Accept",
                "Accept-Encoding | Accept | Accept-Encoding, Accept",
                "Accept | Accept-Encoding | Accept, Accept-Encoding",
                "Origin,accept , X | Accept | Origin,accept , X",
                "Origin, X-Accept | Accept | Origin, X-Accept, Accept",
                "* | Accept | *",
                "Origin, * | Accept | Origin, *",
            })
    void append_toAList_addsWhatIsNotThere(String there, String element, String expected) {
        ResponseHeaders headers = new ResponseHeaders();
        if (there != null) {
            headers.set("vary", there);
        }
        headers.append("Vary", element);
        assertThat(headers.get("Vary")).isEqualTo(expected);
    }

    @Test
    void append_toAListInSeveralHeaders_looksIntoAll() {
        ResponseHeaders headers = new ResponseHeaders();
        headers.add("Vary", "Origin");
        headers.add("Vary", "Accept-Encoding");
        headers.append("Vary", "Accept-Encoding");
        headers.append("Vary", "Accept");
        List<String> values = new ArrayList<>();
        headers.forEach((_, value) -> values.add(value));
        assertThat(values).containsExactly("Origin, Accept", "Accept-Encoding");
    }
}
