package dev.penstock.codegen.naming;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
    @ParameterizedTest
    @CsvSource({
        "film_id, filmId, FilmId, FILM_ID",
        "FILM_ID, filmId, FilmId, FILM_ID",
        "filmId, filmId, FilmId, FILM_ID",
        "HTTPServer, httpServer, HttpServer, HTTP_SERVER",
        "address2, address2, Address2, ADDRESS2",
        "order no, orderNo, OrderNo, ORDER_NO",
        "1st, _1st, _1st, _1ST",
        "größe, größe, Grosse, GRÖSSE",
        "Straßen-Ort, straßenOrt, StrassenOrt, STRASSEN_ORT",
        "顧客, 顧客, U9867U5BA2, 顧客",
        "a$b€c, aBC, ABC, A_B_C",
        "__x__, x, X, X"
    })
    void names_anyName_followJava(String name, String camel, String type, String constant) {
        Words words = Words.of(name);
        assertThat(words.camel()).isEqualTo(camel);
        assertThat(words.className()).isEqualTo(type);
        assertThat(words.constant()).isEqualTo(constant);
    }

    @ParameterizedTest
    @CsvSource({"PG-13, PG13", "in work, IN_WORK", "2-door, _2_DOOR", "Déjà vu, DÉJÀ_VU"})
    void label_anyText_isAConstant(String text, String constant) {
        assertThat(Words.of(text).label()).isEqualTo(constant);
    }

    @ParameterizedTest
    @CsvSource({
        "film, films",
        "city, cities",
        "day, days",
        "address, addresses",
        "films, films",
        "status, statuses",
        "box, boxes",
        "film_text, filmTexts"
    })
    void plural_anyName_isThatOfItsLastWord(String name, String plural) {
        assertThat(Words.of(name).plural().camel()).isEqualTo(plural);
    }

    @Test
    void className_longName_isOneThatAFileCanHave() {
        assertThat(Words.of("顧".repeat(64)).className()).startsWith("U9867U9867").hasSize(100);
    }
}
