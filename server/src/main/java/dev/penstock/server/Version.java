package dev.penstock.server;

import picocli.CommandLine.IVersionProvider;

/** Which Penstock this is. */
final class Version implements IVersionProvider {
    /** The version, as the jar's manifest has it. */
    static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not packaged)" : version;
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Penstock " + text(), "Java " + System.getProperty("java.vm.version", "unknown")
        };
    }
}
