package dev.penstock.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The drawing of charts as SVG. */
final class Charts {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;
    private static final Color INK = new Color(0x33, 0x3a, 0x40);
    private static final Color GRID = new Color(0xe3, 0xe6, 0xe8);

    /** Distinct for the colour-blind as well (after Okabe and Ito). */
    private static final List<Color> COLORS =
            List.of(
                    new Color(0x00, 0x72, 0xb2),
                    new Color(0xd5, 0x5e, 0x00),
                    new Color(0x00, 0x9e, 0x73),
                    new Color(0xcc, 0x79, 0xa7),
                    new Color(0xe6, 0x9f, 0x00),
                    new Color(0x56, 0xb4, 0xe9),
                    new Color(0x66, 0x66, 0x66));

    private Charts() {}

    /** Draws a chart as one SVG element. */
    static String svg(Outcome.Chart chart) throws IOException {
        XYChart drawn =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(HEIGHT)
                        .title(chart.title())
                        .xAxisTitle(chart.horizontal())
                        .yAxisTitle(chart.vertical())
                        .build();
        style(drawn.getStyler(), chart);
        int color = 0;
        for (Map.Entry<String, Map<Double, Double>> points : chart.lines().entrySet()) {
            List<Double> xs = List.copyOf(points.getValue().keySet());
            List<Double> ys = List.copyOf(points.getValue().values());
            XYSeries line = drawn.addSeries(points.getKey(), xs, ys);
            line.setLineColor(COLORS.get(color % COLORS.size()));
            line.setMarkerColor(COLORS.get(color % COLORS.size()));
            line.setLineStyle(new BasicStroke(2f));
            line.setMarker(xs.size() > 40 ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
            color++;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        VectorGraphics2D graphics = new VectorGraphics2D();
        drawn.paint(graphics, WIDTH, HEIGHT);
        Processors.get("svg")
                .getDocument(graphics.getCommands(), new PageSize(0, 0, WIDTH, HEIGHT))
                .writeTo(out);
        String svg = out.toString(UTF_8);
        return svg.substring(svg.indexOf("<svg"))
                // A tenth of a pixel is exact enough, and half the size.
                .replaceAll("(\\.\\d)\\d+", "$1")
                .replaceFirst(
                        "width=\"[^\"]*\" height=\"[^\"]*\"",
                        "width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\"");
    }

    private static void style(XYStyler styler, Outcome.Chart chart) {
        Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
        styler.setBaseFont(font);
        styler.setChartTitleFont(font.deriveFont(Font.BOLD, 14f));
        styler.setAxisTitleFont(font);
        styler.setAxisTickLabelsFont(font.deriveFont(11f));
        styler.setLegendFont(font);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setChartFontColor(INK);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(GRID);
        // A dash would be a shape of its own.
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setLegendPosition(Styler.LegendPosition.OutsideE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setMarkerSize(6);
        chart.lines().values().stream()
                .flatMap(points -> points.keySet().stream())
                .min(Double::compare)
                .ifPresent(styler::setXAxisMin);
        styler.setYAxisDecimalPattern("#,##0.##");
        styler.setXAxisDecimalPattern("#,##0.##");
        if (chart.logarithmic()) {
            styler.setYAxisLogarithmic(true);
        } else {
            styler.setYAxisMin(0.0);
        }
    }
}
