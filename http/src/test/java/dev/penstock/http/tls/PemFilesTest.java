package dev.penstock.http.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.server.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys as they come, and what is said of those that are not in order. */
final class PemFilesTest {
    private static TestCertificate rsa;
    private static TestCertificate ec;

    @TempDir private Path directory;

    @BeforeAll
    static void make() throws Exception {
        rsa = TestCertificate.make("RSA", "rsa");
        ec = TestCertificate.make("EC", "ec");
    }

    private PemFiles parse(String certificate, String key) throws Exception {
        Path certificateFile = Files.writeString(directory.resolve("c.pem"), certificate);
        Path keyFile = Files.writeString(directory.resolve("k.pem"), key);
        return PemFiles.parse(
                PemFiles.Source.read(certificateFile, keyFile), certificateFile, keyFile);
    }

    private void refuses(String certificate, String key, String... says) {
        assertThatThrownBy(() -> parse(certificate, key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(says);
    }

    @Test
    void parse_ofKeysInEveryForm_succeeds() throws Exception {
        TestCertificate edwards = TestCertificate.make("Ed25519", "ed");
        assertThat(parse(rsa.certificatePem(), rsa.keyPem()).key().getAlgorithm()).isEqualTo("RSA");
        assertThat(parse(rsa.certificatePem(), rsa.oldKeyPem()).key().getAlgorithm())
                .isEqualTo("RSA");
        assertThat(parse(ec.certificatePem(), ec.keyPem()).key().getAlgorithm()).isEqualTo("EC");
        assertThat(parse(ec.certificatePem(), ec.oldKeyPem()).key().getAlgorithm()).isEqualTo("EC");
        assertThat(parse(edwards.certificatePem(), edwards.keyPem()).key().getAlgorithm())
                .isEqualTo("EdDSA");
        assertThat(
                        parse(ec.certificatePem() + "and\n" + rsa.certificatePem(), ec.keyPem())
                                .certificates())
                .hasSize(2);
    }

    @Test
    void parse_ofWhatIsNotInOrder_saysWhatToDo() throws Exception {
        refuses("hello", ec.keyPem(), "c.pem is not PEM", "openssl x509");
        refuses(ec.keyPem(), ec.keyPem(), "c.pem holds a key", "confused");
        refuses(ec.certificatePem(), "hello", "k.pem is not PEM", "openssl pkey");
        refuses(ec.certificatePem(), ec.certificatePem(), "k.pem holds a certificate", "confused");
        refuses(
                ec.certificatePem(),
                TestCertificate.pem("ENCRYPTED PRIVATE KEY", new byte[99]),
                "k.pem is encrypted",
                "openssl pkey -in");
        refuses(
                rsa.certificatePem(),
                """
                -----BEGIN RSA PRIVATE KEY-----
                Proc-Type: 4,ENCRYPTED
                DEK: A,B

                AAAA
                -----END RSA PRIVATE KEY-----
                """,
                "k.pem is encrypted");
        refuses(rsa.certificatePem(), ec.keyPem(), "k.pem is not a key of the kind RSA");
        refuses(
                ec.certificatePem(),
                TestCertificate.pem("PRIVATE KEY", new byte[99]),
                "not a key of the kind EC",
                "or is damaged");
        refuses(TestCertificate.pem("CERTIFICATE", new byte[99]), ec.keyPem(), "c.pem is damaged");
        TestCertificate other = TestCertificate.make("EC", "other");
        refuses(ec.certificatePem(), other.keyPem(), "k.pem does not belong to", "c.pem");
    }

    @Test
    void read_ofWhatIsNotThere_saysSo() throws Exception {
        Path there = Files.writeString(directory.resolve("there"), "x");
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> PemFiles.Source.read(missing, there))
                .hasMessage("Can't read the TLS certificate %s: there is no such file", missing);
        assertThatThrownBy(() -> PemFiles.Source.read(there, directory))
                .hasMessageContaining("Can't read the TLS key " + directory);
        Path large = Files.write(directory.resolve("large"), new byte[1024 * 1024 + 1]);
        assertThatThrownBy(() -> PemFiles.Source.read(large, there))
                .hasMessageContaining("larger than 1048576 bytes");
    }
}
