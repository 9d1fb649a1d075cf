package dev.penstock.documents.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.DocumentException;
import dev.penstock.documents.DocumentException.Kind;
import dev.penstock.documents.format.Canonical;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of the format, the options of the converter and its errors. */
class ConverterTest {
    private static final String JOE =
            "<person><name>Joe</name><address><street>Main Street</street><city>Atlanta</city></address>"
                    + "<id type=\"passport\">34234234324</id>"
                    + "<hobbies><hobby>books</hobby><hobby>tv</hobby></hobbies></person>";
    private static final String JOE_JSON =
            "{\"person\":{\"name\":\"Joe\",\"address\":{\"street\":\"Main Street\",\"city\":\"Atlanta\"},"
                    + "\"id\":{\"@type\":\"passport\",\"#text\":\"34234234324\"},"
                    + "\"hobbies\":{\"hobby\":[\"books\",\"tv\"]}}}";

    private static String exact(String xml) {
        return Converter.exact().toJson(xml);
    }

    @Test
    void x2j_personOfTheArticle_givesItsJson() {
        assertThat(Converter.x2j(JOE)).isEqualTo(JOE_JSON);
        assertThat(Converter.x2j(JOE.replace("><", ">\n  <"))).isEqualTo(JOE_JSON);
    }

    @Test
    void j2x_jsonOfTheArticle_givesTheDocumentInTheOrderOfTheKeys() {
        assertThat(Converter.j2x(JOE_JSON)).isEqualTo(JOE);
    }

    @Test
    void j2x_elementBesideTheIdentifierOfTheStore_givesTheElement() {
        String stored = JOE_JSON.replaceFirst("\\{", "{\"_id\":{\"\\$oid\":\"4f36\"},");
        assertThat(Converter.j2x(stored, "person")).isEqualTo(JOE);
        assertThatThrownBy(() -> Converter.j2x(stored, "pet"))
                .hasMessage("Can't read the JSON document at the top: there is no element pet");
        assertThatThrownBy(() -> Converter.j2x(stored))
                .hasMessage(
                        "Can't read the JSON document at the top: a document has one root element,"
                                + " and here are 2: [_id, person]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<r><b/><a>1</a><b>2</b></r>|{'r':{'b':[null,'2'],'a':'1','#':'b a b'}}",
                "<p>Hi <b>x</b> and <b>y</b>!</p>"
                        + "|{'p':{'#text':['Hi ',' and ','!'],'b':['x','y'],'#':'#text b #text b #text'}}",
                "<a:feed xmlns:a=\"urn:u\"><a:id/></a:feed>|{'a:feed':{'@xmlns:a':'urn:u','a:id':null}}",
                "<e/>|{'e':null}",
                "<e> </e>|{'e':' '}",
                "<e a=\"\"/>|{'e':{'@a':''}}",
                "<e a=\"1\"> </e>|{'e':{'@a':'1','#text':' '}}",
                "<r><a.b/><abcd/></r>|{'r':{'a%2Eb':null,'abcd':null,'#':'a%2Eb abcd'}}",
                "<r><abcd/><a.b/></r>|{'r':{'abcd':null,'a%2Eb':null}}",
                "<r><ab/><é/></r>|{'r':{'ab':null,'é':null}}",
                "<r><é/><ab/></r>|{'r':{'é':null,'ab':null,'#':'é ab'}}",
                "<r><a/><a/><b/></r>|{'r':{'a':[null,null],'b':null}}",
                "<r><b/><b/><b/><a/></r>|{'r':{'b':[null,null,null],'a':null,'#':'b*3 a'}}",
                "<r><a/> <a/></r>|{'r':{'a':[null,null],'#':'a ~s a'}}",
                "<r>x<!--c-->y<?p d e?></r>"
                        + "|{'r':{'#text':['x','y'],'#comment':'c','#pi':'p d e',"
                        + "'#':'#text #comment #text #pi'}}",
                "<?p?><r/><!--c-->|{'r':null,'#pi':'p','#comment':'c','#':'#pi r #comment'}",
                "<r/><!--c-->|{'r':null,'#comment':'c'}",
                "<r><![CDATA[<x>]]>y</r>|{'r':'<x>y'}",
                "<r a=\"&#13;&#10;&#9;\">&#13;</r>|{'r':{'@a':'\\r\\n\\t','#text':'\\r'}}",
            })
    void toJson_example_givesTheFormat(String xml, String json) throws Exception {
        String expected = json.replace('\'', '"');
        assertThat(exact(xml)).isEqualTo(expected);
        assertThat(Canonical.of(Converter.exact().toXml(expected))).isEqualTo(Canonical.of(xml));
        assertThat(Canonical.of(Converter.j2x(expected))).isEqualTo(Canonical.of(xml));
    }

    @Test
    void toJson_regularIndentation_isRecordedOnce() {
        String xml = "<r>\n  <a>1</a>\n  <b c=\"d\">\n    <e/>\n    <!--x-->\n  </b>\n</r>";
        String json =
                "{\"r\":{\"a\":\"1\",\"b\":{\"@c\":\"d\",\"e\":null,\"#comment\":\"x\"}},\"#indent\":\"s2\"}";
        assertThat(exact(xml)).isEqualTo(json);
        assertThat(Converter.exact().toXml(json)).isEqualTo(xml);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<r>\n\n  <b/>\n\n  <a/>\n\n</r>",
                "<r>\n  <b/><a/>\n  <b>\n    <c/> </b>\n</r>",
                "<r>\n  <b><a/></b>\n</r>",
                "<r>\n  <b>x<a/></b>\n  <b>\n    <a/>x</b>\n  <b>\n    <a/>\n    x\n  </b>\n</r>",
                "<r>\n<b>\n<a/>\n</b>\n</r>",
                "<r>\n\t<b>\n\t\t<a/>\n  \t</b>\n</r>",
                "<r>\n  <b/>\n</r>\n<!-- c -->\n",
                "<r>\n  <b/></r>",
                "<r> <b/></r>",
                "<r><b/>\n  <b/></r>",
                "<r>&#13;\n  <b/></r>",
                "<r>\n  <!--x-->\n  <?y?>\n  <z/>\n  <!--x-->\n</r>",
                "<r>\n  <a> </a>\n  <a>\n  </a>\n</r>",
            })
    void toXml_anyWhiteSpace_comesBackAsItWas(String xml) {
        assertThat(Converter.exact().toXml(exact(xml))).isEqualTo(xml.strip());
        assertThat(Converter.j2x(exact(xml))).isEqualTo(xml.strip());
    }

    @Test
    void toJson_typedValues_keepsStringsThatWouldNotComeBack() {
        Converter typed = Converter.of(ConverterOptions.exact().withTypedValues(true));
        String xml =
                "<r><a>1</a><a>-0</a><a>01</a><a>1.0</a><a>1.5</a><a>true</a><a>1e3</a><a>0.5</a>"
                        + "<a>0.05</a><a>999999999999999</a><a>9999999999999999</a><a>.5</a><a>-7</a></r>";
        String json =
                "{\"r\":{\"a\":[1,\"-0\",\"01\",\"1.0\",1.5,true,\"1e3\",0.5,\"0.05\",999999999999999,"
                        + "\"9999999999999999\",\".5\",-7]}}";
        assertThat(typed.toJson(xml)).isEqualTo(json);
        assertThat(typed.toXml(json)).isEqualTo(xml);
    }

    @Test
    void toJson_forcedArrays_areArraysOfOne() {
        Converter forced =
                Converter.of(
                        ConverterOptions.plain().withForcedArrays(Set.of("person.hobbies.hobby")));
        String xml = "<person><hobbies><hobby>tv</hobby></hobbies></person>";
        String json = "{\"person\":{\"hobbies\":{\"hobby\":[\"tv\"]}}}";
        assertThat(forced.toJson(xml)).isEqualTo(json);
        assertThat(forced.toXml(json)).isEqualTo(xml);
    }

    @Test
    void toJson_cdataKept_comesBackAsSuch() {
        Converter kept = Converter.of(ConverterOptions.exact().withCdata(true));
        String xml = "<r>a<![CDATA[<b>]]> <c/><![CDATA[]]></r>";
        String json =
                "{\"r\":{\"#text\":\"a\",\"#cdata\":[\"<b>\",\"\"],\"c\":null,\"#\":\"#text #cdata ~s c #cdata\"}}";
        assertThat(kept.toJson(xml)).isEqualTo(json);
        assertThat(kept.toXml(json)).isEqualTo(xml);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16", "ISO-8859-1", "US-ASCII"})
    void toXml_declaredEncoding_isWrittenAndReadAgain(String encoding) throws Exception {
        String xml =
                "<?xml version=\"1.0\" encoding=\"%s\" standalone=\"yes\"?><r a=\"&#233;\">&#8364;&#x1F600;</r>"
                        .formatted(encoding);
        byte[] bytes = xml.getBytes(Charset.forName(encoding));
        byte[] back = toXml(toJson(bytes));
        assertThat(Canonical.of(back)).isEqualTo(Canonical.of(bytes));
        assertThat(new String(back, Charset.forName(encoding)))
                .startsWith(xml.substring(0, xml.indexOf("?>") + 2));
    }

    private static byte[] toJson(byte[] xml) {
        ByteArrayOutputStream json = new ByteArrayOutputStream();
        Converter.exact().toJson(new ByteArrayInputStream(xml), json);
        return json.toByteArray();
    }

    private static byte[] toXml(byte[] json) {
        ByteArrayOutputStream xml = new ByteArrayOutputStream();
        Converter.exact().toXml(new ByteArrayInputStream(json), xml);
        return xml.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'r':{'b':{'a':[1,[2]]}}}|r.b.a[1]: an array is no element",
                "{'r':{'@a':null}}|r.@a: there must be a string",
                "{'r':{'@a':['x']}}|r.@a: there must be one string, and there is an array",
                "{'r':{'#x':1}}|r.#x: the key \"#x\" is none of the format",
                "{'r':{'a b':1}}|r.a b: the key \"a b\" is no name of XML",
                "{'r':[]}|r: a document has one root element, and the array here is empty",
                "{'r':[1,2]}|r[1]: a document has one root element, and this is another one",
                "{'r':{'@a.b':1,'@a%2Eb':2}}|r: the attribute a.b is there twice",
                "{'r':{'@xmlns:a.b':1,'@xmlns:a%2Eb':2}}|r: the attribute xmlns:a.b is there twice",
                "{'#xml':[],'r':1}|#xml: the declaration must be an object",
                "{'#xml':[{'version':'1.0'}],'r':1}|#xml: the declaration must be an object",
                "{'r':{'~':1}}|r.~: the key \"~\" is no name of XML",
                "{'r':1,'~s':1}|~s: the key \"~s\" is no name of XML",
                "{'r':{'b':[{},{'p:a':1}]}}"
                        + "|r.b[1].p:a: the prefix p is not bound to a namespace; declare it by @xmlns:p",
                "{'r':{'a':1,'#':'a a'}}|r.#: the order names more values of the key a than are there",
                "{'r':{'a':[1,2],'#':'a'}}|r: the order leaves out a value of the key a",
                "{'r':{'a':1,'#':'a*0'}}|r.#: the order has the token \"a*0\", which is none",
                "{'r':{'a':1,'#':'~x a'}}"
                        + "|r.#: the order has the token \"~x\", which is no white space",
                "{'r':{'a':1,'b':{'a':1,'a':2}}}|r.b.a: the key is there twice in one object",
                "{'r':{'#comment':'a--b'}}"
                        + "|r.#comment: a comment can't hold \"--\" or a carriage return, or end with \"-\"",
                "{'r':{'#pi':'xml x'}}"
                        + "|r.#pi: a processing instruction can't have the target \"xml\"",
                "{'r':'\\u0001'}|r: XML has no character U+0001",
                "{}|the top: a document has one root element, and here are 0",
                "{'#text':'x','r':1}|the top: a document has no text beside its root element",
                "[1]|the top: a document is an object with the root element's name as its key",
                "{'r':1} 2|the top: something follows the document",
                "{'r':{'xmlns:a':1}}"
                        + "|r.xmlns:a: the prefix xmlns is not bound to a namespace; declare it by @xmlns:xmlns",
            })
    void toXml_noDocumentOfTheFormat_namesThePath(String json, String message) {
        assertThatThrownBy(() -> Converter.exact().toXml(json.replace('\'', '"')))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.JSON))
                .hasMessage("Can't read the JSON document at " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<r>\\n<a></r>|line 2, column 6: Unexpected close tag </r>; expected </a>.",
                "<r><p:a/></r>|line 1, column 9: Undeclared namespace prefix \"p\"",
                "<r a=\"1\" a=\"2\"/>|line 1, column 16: Duplicate attribute 'a'.",
            })
    void toJson_notWellFormed_namesLineAndColumn(String xml, String message) {
        assertThatThrownBy(() -> exact(xml.replace("\\n", "\n")))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                .hasMessageStartingWith("Can't read the XML document at " + message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<r a='€'>€</r>|ISO-8859-1",
                "<r>é<!--é--><?é é?></r>|ISO-8859-1",
                "<r><![CDATA[€<]]></r>|ISO-8859-1",
                "<r>é<!--€--></r>|UTF-8",
                "<!--€--><r/>|UTF-8",
                "<r/><?p €?>|UTF-8",
                "<r><?\u0142?></r>|UTF-8",
                "<r><\u0142/></r>|UTF-8",
                "<r \u0142=''/>|UTF-8",
                "<r>\uD83D\uDE00<!--\uD83D\uDE00--></r>|UTF-8",
            })
    void toXml_charactersThatTheEncodingLacks_areReferencesOrMakeItUtf8(
            String root, String encoding) throws Exception {
        String xml = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" standalone=\"no\"?>" + root;
        Converter converter = Converter.of(ConverterOptions.exact().withCdata(true));
        String json = converter.toJson(xml);
        var out = new ByteArrayOutputStream();
        converter.toXml(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), out);
        assertThat(out.toString(StandardCharsets.ISO_8859_1))
                .startsWith(
                        "<?xml version=\"1.0\" encoding=\"%s\" standalone=\"no\"?>"
                                .formatted(encoding));
        String canonical = Canonical.of(root);
        assertThat(Canonical.of(out.toByteArray())).isEqualTo(canonical);
        assertThat(converter.toXml(json)).startsWith("<?xml version=\"1.0\" standalone=\"no\"?>\n");
        assertThat(Canonical.of(converter.toXml(json))).isEqualTo(canonical);
    }

    @Test
    void toXml_largeJsonThatIsNone_namesThePath() {
        String large = "{\"r\":\"" + "x".repeat(300_000) + "\"}";
        assertThatThrownBy(() -> Converter.exact().toXml(large + " x"))
                .hasMessageStartingWith("Can't read the JSON document at the top: Unrecognized");
        assertThatThrownBy(() -> Converter.exact().toXml("[" + large + "," + large + " x"))
                .hasMessageStartingWith("Can't read the JSON document at the top: Unexpected");
        String twice = large.replace("}", ",\"r\":1}");
        assertThatThrownBy(() -> Converter.exact().toXml(twice))
                .hasMessage(
                        "Can't read the JSON document at r: the key is there twice in one object");
    }

    @Test
    void toXml_halfOfACharacter_isRefusedWithItsPath() {
        assertThatThrownBy(() -> Converter.j2x("{\"r\":{\"a\":\"x\uD83D\"}}"))
                .hasMessage("Can't read the JSON document at r.a: XML has no character U+D83D");
        assertThatThrownBy(() -> Converter.j2x("{\"r\":\"\\\\\uDE00\"}"))
                .hasMessage("Can't read the JSON document at r: XML has no character U+FFFF");
        assertThatThrownBy(() -> Converter.j2x("{\"r\":\"\\\uDE00\"}"))
                .isInstanceOf(DocumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE"})
    void toJson_streamGivesFewBytesAtOnce_isRead(String encoding) {
        String xml = "<?xml version='1.0' encoding='%s'?><r>x</r>".formatted(encoding);
        byte[] bytes = xml.getBytes(Charset.forName(encoding));
        for (int size = 1; size < bytes.length; size++) {
            int most = size;
            var stream =
                    new ByteArrayInputStream(bytes) {
                        @Override
                        public int read(byte[] target, int offset, int count) {
                            return super.read(target, offset, Math.min(count, most));
                        }
                    };
            var json = new ByteArrayOutputStream();
            Converter.exact().toJson(stream, json);
            assertThat(json.toString(StandardCharsets.UTF_8)).endsWith("\"r\":\"x\"}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"<r/>", "<r></r>", "<r/><!--x-->", "<?xml version='1.0'?><r/>"})
    void toJson_stringWithByteOrderMark_isReadWithoutIt(String xml) {
        assertThat(exact("\ufeff" + xml)).isEqualTo(exact(xml));
        assertThatThrownBy(() -> exact("\ufeff\ufeff" + xml)).isInstanceOf(DocumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<r>%s</r>",
                "<r a='%s'/>",
                "<r xmlns='u%s'/>",
                "<r><!--%s--></r>",
                "<r><?p %s?></r>",
                "<r><?p%s?></r>",
                "<r><![CDATA[ %s ]]></r>",
                "<r%s/>",
                "<r a%s='1'/>",
            })
    void toJson_characterThatXmlHasNot_isAnErrorOfTheXml(String template) {
        for (char c : new char[] {'\u0001', '\ud83d', '\ude00', '\ufffe', '\uffff'}) {
            String xml = template.formatted(c);
            assertThatThrownBy(() -> exact(xml))
                    .isInstanceOfSatisfying(
                            DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                    .hasMessageContaining("line 1, column ");
            if (!Character.isSurrogate(c)) {
                byte[] bytes = xml.getBytes(StandardCharsets.UTF_16);
                assertThatThrownBy(() -> toJson(bytes)).hasMessageContaining("line 1, column ");
            }
        }
    }

    @Test
    void toJson_encodingIsNotUtf8_isAnErrorOfTheXml() {
        byte[] bytes = "<r>\u00e9</r>".getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> toJson(bytes))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.kind()).isEqualTo(Kind.XML))
                .hasMessageContaining("line 1, column ");
    }

    @ParameterizedTest
    @ValueSource(ints = {999, 1_000, 1_001, 70_000})
    void indentation_howeverLong_comesBack(int length) {
        String xml = "<r>\n" + " ".repeat(length) + "<a/>\n</r>";
        assertThat(Converter.exact().toXml(Converter.exact().toJson(xml))).endsWith(xml);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 49_999, 50_001, 140_000})
    void whiteSpaceBetweenNodes_howeverLong_comesBack(int pairs) {
        String xml = "<r><a/>" + " \t".repeat(pairs) + "<b/></r>";
        assertThat(Converter.exact().toXml(Converter.exact().toJson(xml))).endsWith(xml);
    }

    /** Bytes that a decoder of the JDK would replace by U+FFFD, which would be another document. */
    @ParameterizedTest
    @CsvSource({
        "UTF-16BE, 00 3C 00 72 00 3E DC 00 00 3C 00 2F 00 72 00 3E",
        "UTF-16LE, 3C 00 72 00 3E 00 00 D8 3C 00 2F 00 72 00 3E 00",
        "UTF-16 with a mark, FE FF 00 3C 00 72 00 3E D8 00 00 3C 00 2F 00 72 00 3E",
        "half a unit, FF FE 3C 00 72 00 2F 00 3E 00 20",
    })
    void bytes_thatAreNotOfTheEncoding_areRefused(String encoding, String bytes) {
        byte[] xml = HexFormat.ofDelimiter(" ").parseHex(bytes);
        refused(xml, encoding, "bytes that are none of the document's encoding");
    }

    @ParameterizedTest
    @CsvSource({"Shift_JIS, 81 20", "windows-1252, 81", "EUC-KR, FE FF", "UTF-8, C0 80"})
    void bytes_thatTheDeclaredEncodingLacks_areRefused(String encoding, String bytes) {
        var xml = new ByteArrayOutputStream();
        String head = "<?xml version='1.0' encoding='" + encoding + "'?><r>";
        xml.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        xml.writeBytes(HexFormat.ofDelimiter(" ").parseHex(bytes));
        xml.writeBytes("</r>".getBytes(StandardCharsets.US_ASCII));
        refused(xml.toByteArray(), encoding, "");
    }

    @Test
    void utf16_declaredAsAnother_isRefused() {
        byte[] xml = "<?xml version='1.0' encoding='UTF-8'?><r/>".getBytes(StandardCharsets.UTF_16);
        refused(xml, "UTF-16", "says the encoding UTF-8");
    }

    private static void refused(byte[] xml, String encoding, String message) {
        assertThatThrownBy(() ->
                        Converter.exact()
                                .toJson(new ByteArrayInputStream(xml), new ByteArrayOutputStream()))
                .as(encoding)
                .isInstanceOfSatisfying(
                        DocumentException.class,
                        e -> assertThat(e.kind()).isEqualTo(DocumentException.Kind.XML))
                .hasMessageContaining("line 1")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "Shift_JIS", "EUC-KR", "GB18030"})
    void encodings_thatTheJdkDecodes_areRead(String encoding) {
        String content = encoding.equals("EUC-KR") ? "\uac00" : "\u3042\uff21";
        String xml =
                "<?xml version='1.0' encoding='%s'?>\n<r>%s</r>"
                        .formatted(encoding, content.repeat(5_000));
        var json = new ByteArrayOutputStream();
        Converter.exact()
                .toJson(new ByteArrayInputStream(xml.getBytes(Charset.forName(encoding))), json);
        assertThat(json.toString(StandardCharsets.UTF_8)).contains(content.repeat(5_000));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void cdata_withPairsAtEveryPlace_staysOne(int before) {
        String text = "x".repeat(before) + "\ud83d\ude00".repeat(20_000);
        Converter converter = Converter.of(ConverterOptions.exact().withCdata(true));
        String xml = "<r><![CDATA[" + text + "]]></r>";
        assertThat(converter.toXml(converter.toJson(xml))).isEqualTo(xml);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "utf-16le", "UTF16", "ISO-10646-UCS-2", "UCS-2"})
    void utf16_byAnyOfItsNames_isRead(String name) {
        String xml = "<?xml version='1.0' encoding='" + name + "'?><r>\u3042</r>";
        var json = new ByteArrayOutputStream();
        Converter.exact()
                .toJson(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_16)), json);
        assertThat(json.toString(StandardCharsets.UTF_8)).contains("\u3042");
    }
}
