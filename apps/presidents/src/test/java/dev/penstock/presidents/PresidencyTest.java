package dev.penstock.presidents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

class PresidencyTest {
    private static final List<Presidency> ALL = Presidency.all();

    @Test
    void all_areFortySeven_numberedInOrder() {
        assertThat(ALL).hasSize(Presidents.PRESIDENCIES);
        for (int i = 0; i < ALL.size(); i++) {
            assertThat(ALL.get(i).number()).isEqualTo(i + 1);
        }
    }

    @Test
    void terms_followEachOther_withoutGap() {
        assertThat(ALL.getFirst().start()).isEqualTo(LocalDate.of(1789, 4, 30));
        for (int i = 1; i < ALL.size(); i++) {
            assertThat(ALL.get(i).start()).isEqualTo(ALL.get(i - 1).end());
            assertThat(ALL.get(i).start()).isAfter(ALL.get(i - 1).start());
        }
        assertThat(ALL.getLast().end()).isNull();
    }

    @Test
    void names_areFortyFive_sinceTwoCameBack() {
        Set<String> names = ALL.stream().map(Presidency::name).collect(Collectors.toSet());
        assertThat(names).hasSize(45);
        assertThat(ALL).filteredOn(each -> each.name().equals("Grover Cleveland")).hasSize(2);
        assertThat(ALL).filteredOn(each -> each.name().equals("Donald Trump")).hasSize(2);
    }

    @Test
    void summaries_areOneParagraphEach_allDifferent() {
        assertThat(ALL)
                .allSatisfy(each -> {
                    assertThat(each.summary().length()).isBetween(350, 800);
                    assertThat(each.summary()).doesNotContain("\n", "  ", "\t");
                    assertThat(each.summary()).endsWith(".");
                })
                .extracting(Presidency::summary)
                .doesNotHaveDuplicates();
    }

    @Test
    void pictures_areJpegsOfSevenKilobytes_allDifferent() throws IOException {
        Set<String> seen = new HashSet<>();
        long total = 0;
        for (Presidency each : ALL) {
            byte[] jpeg = each.picture();
            assertThat(jpeg.length).as(each.name()).isBetween(6000, 8000);
            BufferedImage image = ImageIO.read(new ByteArrayInputStream(jpeg));
            assertThat(image.getWidth()).isEqualTo(120);
            assertThat(image.getHeight()).isEqualTo(150);
            assertThat(seen.add(Base64.getEncoder().encodeToString(jpeg))).isTrue();
            total += jpeg.length;
        }
        assertThat(total / ALL.size()).isBetween(6700L, 7300L);
    }

    @Test
    void parse_badFacts_namesThePlace() {
        assertThatThrownBy(() -> Presidency.parse("# comment\n\n1 | A | B | 1789-02-30 |\nText."))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 | A | B")
                .hasMessageContaining("1789-02-30");
        assertThatThrownBy(() -> Presidency.parse("1 | A | B\nText."))
                .hasMessageContaining("3 facts instead of 5");
        assertThatThrownBy(() -> Presidency.parse("1 | A | B | 1789-02-03 |"))
                .hasMessageContaining("presidency 1 has no summary");
    }
}
