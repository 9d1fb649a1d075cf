package dev.penstock.server.command;

import dev.penstock.documents.Profile;
import dev.penstock.server.config.PenstockVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock j2x}: JSON, as x2j writes it, back to XML. */
@Command(
        name = "j2x",
        description =
                "Converts JSON that x2j has written, in whichever profile, back to XML, on the standard output.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock j2x orders.json > orders.xml",
            "  psql -Atc \"select doc->'doc' from doc__orders where id = '17'\" | penstock j2x --profile exact -"
        })
final class J2xCommand implements Callable<Integer> {
    @Mixin private ConversionFiles files = new ConversionFiles();

    @Option(
            names = "--profile",
            paramLabel = "P",
            defaultValue = "plain",
            description =
                    "plain: keys are in the order in which x2j wrote them. exact: they may be in any other, as"
                            + " databases put them; for JSON of the exact profile. Default: ${DEFAULT-VALUE}.")
    private Profile profile = Profile.PLAIN;

    @Override
    public Integer call() {
        return files.convert((json, xml) -> ConversionFiles.converter(profile).toXml(json, xml));
    }
}
