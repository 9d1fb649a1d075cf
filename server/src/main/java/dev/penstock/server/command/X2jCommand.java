package dev.penstock.server.command;

import dev.penstock.documents.Profile;
import dev.penstock.server.config.PenstockVersion;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code penstock x2j}: XML to JSON. */
@Command(
        name = "x2j",
        description =
                "Converts an XML document of any size to JSON, on the standard output. The format is described in"
                        + " docs/xml-json.md.",
        mixinStandardHelpOptions = true,
        versionProvider = PenstockVersion.class,
        sortOptions = false,
        footer = {
            "",
            "Examples:",
            "  penstock x2j orders.xml > orders.json",
            "  gunzip -c orders.xml.gz | penstock x2j --profile plain -"
        })
final class X2jCommand implements Callable<Integer> {
    @Mixin private ConversionFiles files = new ConversionFiles();

    @Option(
            names = "--profile",
            paramLabel = "P",
            defaultValue = "exact",
            description =
                    "exact: nothing is lost. plain: easy to read, without the order of different elements, comments,"
                            + " processing instructions and white space between elements. Default: ${DEFAULT-VALUE}.")
    private Profile profile = Profile.EXACT;

    @Override
    public Integer call() {
        return files.convert((xml, json) -> ConversionFiles.converter(profile).toJson(xml, json));
    }
}
