package dev.penstock.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata as tus spells it. */
final class UploadMetadataTest {
    @Test
    void pairs_wellFormed_areRead() {
        assertThat(UploadMetadata.parse("filename YS50eHQ=,draft,empty , note w7w=").texts())
                .containsExactly(
                        entry("filename", "a.txt"),
                        entry("draft", ""),
                        entry("empty", ""),
                        entry("note", "ü"));
        assertThat(UploadMetadata.parse("").texts()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "a ",
                "a YS50eHQ=",
                "filename YS50eHQ=,filetype dGV4dC9wbGFpbg==",
            })
    void pairs_wellFormed_areTaken(String header) {
        assertThat(UploadMetadata.parse(header).texts()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",",
                "a,",
                " YS50eHQ=,,",
                "a YS50eHQ",
                "a !!!!",
                "a YS50 eHQ=",
                "a YS50eHQ=,a YS50eHQ=",
                "a,a",
                "ä YS50eHQ=",
                "a =",
                "a ====",
                "a YS\t50",
            })
    void pairs_malformed_areRefused(String header) {
        assertThatThrownBy(() -> UploadMetadata.parse(header))
                .isInstanceOfSatisfying(
                        TransferException.class,
                        e -> assertThat(e.kind()).isEqualTo(TransferException.Kind.INVALID))
                .hasMessageStartingWith("Upload-Metadata has ");
    }

    @Test
    void fileName_isThatOfEitherKey() {
        assertThat(UploadMetadata.parse("name Yg==,filename YQ==,type dA==").fileName())
                .hasValue("a");
        UploadMetadata other = UploadMetadata.parse("filename,name Yg==,type dA==");
        assertThat(other.fileName()).hasValue("b");
        assertThat(other.mediaType()).hasValue("t");
        assertThat(UploadMetadata.parse("a YQ==").fileName()).isEmpty();
    }

    @Test
    void texts_encoded_areReadAgain() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("filename", "Plän, b.pdf");
        texts.put("flag", "");
        assertThat(UploadMetadata.encode(texts)).isEqualTo("filename UGzDpG4sIGIucGRm,flag");
        assertThat(UploadMetadata.parse(UploadMetadata.encode(texts)).texts()).isEqualTo(texts);
    }
}
