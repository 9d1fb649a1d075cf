package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The launcher on machines that lack a JDK or Maven: a copy of it, with a PATH on which there is only what the test
 * puts there.
 */
@Tag("any-loops")
class PenstockScriptIT {
    private static final List<String> TOOLS =
            List.of("bash", "cat", "dirname", "find", "head", "readlink", "sed", "sort");

    @TempDir private Path machine;

    private final Map<String, String> environment = new HashMap<>();

    /** The launcher's output and exit code. */
    private record Outcome(int exitCode, String out, String err) {}

    @BeforeEach
    void install() throws IOException {
        Files.copy(Path.of("..", "penstock"), machine.resolve("penstock"));
        Files.createDirectory(machine.resolve("bin"));
        for (String tool : TOOLS) {
            link(tool);
        }
        command("id", "echo 1000");
        environment.put("PATH", machine.resolve("bin").toString());
        environment.put("HOME", machine.toString());
        environment.put("PENSTOCK_JDKS", "");
    }

    private void link(String tool) throws IOException {
        Path found = Path.of("/usr/bin", tool);
        command(tool, "exec " + (Files.exists(found) ? found : "/bin/" + tool) + " \"$@\"");
    }

    private void command(String name, String script) throws IOException {
        Path file = machine.resolve("bin").resolve(name);
        Files.writeString(file, "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Outcome run(String... arguments) throws IOException, InterruptedException {
        Path out = machine.resolve("out");
        Path err = machine.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder("/bin/bash", machine.resolve("penstock").toString())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Outcome(
                exitCode,
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "apt-get, sudo apt-get update && sudo apt-get install -y openjdk-25-jdk-headless,"
                + " sudo apt-get update && sudo apt-get install -y maven",
        "dnf, sudo dnf install -y java-25-openjdk-devel, sudo dnf install -y maven",
        "brew, brew install openjdk@25, brew install maven"
    })
    void requirements_bareMachine_areItsPackageManagersCommands(
            String manager, String jdk, String maven) throws Exception {
        command(manager, "true");
        assertThat(run("requirements")).isEqualTo(new Outcome(0, jdk + "\n" + maven + "\n", ""));
    }

    @Test
    void requirements_asRoot_needNoSudo() throws Exception {
        command("id", "echo 0");
        command("dnf", "true");
        assertThat(run("requirements").out())
                .isEqualTo("dnf install -y java-25-openjdk-devel\ndnf install -y maven\n");
    }

    @Test
    void requirements_withSdkman_areItsCandidates() throws Exception {
        Path sdkman = Files.createDirectories(machine.resolve(".sdkman/bin"));
        Files.createFile(sdkman.resolve("sdkman-init.sh"));
        assertThat(run("requirements").out())
                .isEqualTo("sdk install java 25-tem\nsdk install maven\n");
    }

    @Test
    void requirements_withoutAnyPackageManager_areRefused() throws Exception {
        Outcome outcome = run("requirements");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .isEqualTo(
                        "penstock: JDK 25 is missing, and this machine has no package manager that is known here"
                                + " (apt-get, dnf, brew, SDKMAN).\n");
    }

    @Test
    void requirements_nothingMissing_areNone() throws Exception {
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        command("mvn", "true");
        assertThat(run("requirements")).isEqualTo(new Outcome(0, "", ""));
    }

    @Test
    void demo_withoutJdk_namesTheCommandThatInstallsOne() throws Exception {
        command("apt-get", "true");
        Outcome outcome = run("demo");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .startsWith("penstock: no JDK 25 found: looked at JAVA_HOME (not set), the PATH,")
                .endsWith(
                        "Install it: sudo apt-get update && sudo apt-get install -y openjdk-25-jdk-headless\n");
    }

    @Test
    void demo_olderJdk_isNotTaken() throws Exception {
        Path old = Files.createDirectories(machine.resolve("jdk-21/bin"));
        Files.createFile(old.resolve("java"), executable());
        Files.createFile(old.resolve("javac"), executable());
        Files.writeString(machine.resolve("jdk-21/release"), "JAVA_VERSION=\"21.0.5\"\n");
        environment.put("PENSTOCK_JDKS", machine.resolve("jdk-21").toString());
        assertThat(run("demo").err())
                .contains("no JDK 25 found")
                .endsWith("Install it from https://adoptium.net, and set JAVA_HOME to it.\n");
    }

    private static java.nio.file.attribute.FileAttribute<?> executable() {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void serve_withoutMaven_namesTheCommandThatInstallsIt() throws Exception {
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        command("brew", "true");
        Outcome outcome = run("serve", "--jdbc", "jdbc:h2:mem:x");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err())
                .isEqualTo(
                        "penstock: Maven is not on the PATH, and it is needed to build. Install it: brew install maven\n");
    }

    @Test
    void command_unknown_isRefused() throws Exception {
        Outcome outcome = run("frob");
        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).endsWith("penstock: there is no command \"frob\".\n");
    }
}
