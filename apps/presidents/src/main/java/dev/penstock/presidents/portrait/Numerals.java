package dev.penstock.presidents.portrait;

import java.awt.BasicStroke;
import java.awt.Shape;
import java.awt.geom.AffineTransform;
import java.awt.geom.Arc2D;
import java.awt.geom.Path2D;

/** Digits and a dash, drawn as strokes: there may be no font. A digit stands in a box 0.6 wide and 1 high. */
final class Numerals {
    private static final double ADVANCE = 0.82;

    private Numerals() {}

    /** The outline of a line of digits of that height, from x = 0, top at y = 0. */
    static Shape line(String text, double height) {
        Path2D line = new Path2D.Double();
        for (int i = 0; i < text.length(); i++) {
            AffineTransform place = AffineTransform.getTranslateInstance(i * ADVANCE, 0);
            line.append(place.createTransformedShape(strokes(text.charAt(i))), false);
        }
        Shape scaled =
                AffineTransform.getScaleInstance(height, height).createTransformedShape(line);
        return new BasicStroke(
                        (float) (height * 0.13), BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
                .createStrokedShape(scaled);
    }

    private static Path2D strokes(char character) {
        Path2D path = new Path2D.Double();
        switch (character) {
            case '0' -> arc(path, 0, 0, 0.6, 1, 0, 360);
            case '1' -> lines(path, 0.12, 0.2, 0.34, 0, 0.34, 1);
            case '2' -> {
                arc(path, 0, 0, 0.6, 0.6, 165, -190);
                path.lineTo(0, 1);
                path.lineTo(0.6, 1);
            }
            case '3' -> {
                arc(path, 0.04, 0, 0.5, 0.46, 150, -240);
                arc(path, 0, 0.46, 0.58, 0.54, 90, -245);
            }
            case '4' -> {
                lines(path, 0.44, 1, 0.44, 0, 0, 0.68, 0.62, 0.68);
            }
            case '5' -> {
                lines(path, 0.54, 0, 0.1, 0, 0.05, 0.45);
                arc(path, -0.02, 0.36, 0.6, 0.64, 135, -285);
            }
            case '6' -> {
                arc(path, 0, 0.4, 0.6, 0.6, 0, 360);
                path.moveTo(0.46, 0);
                path.quadTo(0.02, 0.25, 0, 0.7);
            }
            case '7' -> lines(path, 0, 0, 0.6, 0, 0.2, 1);
            case '8' -> {
                arc(path, 0.06, 0, 0.48, 0.46, 0, 360);
                arc(path, 0, 0.46, 0.6, 0.54, 0, 360);
            }
            case '9' -> {
                arc(path, 0, 0, 0.6, 0.6, 0, 360);
                path.moveTo(0.6, 0.3);
                path.quadTo(0.58, 0.75, 0.14, 1);
            }
            case '-' -> lines(path, 0.08, 0.55, 0.52, 0.55);
            default -> throw new IllegalArgumentException("no numeral: " + character);
        }
        return path;
    }

    private static void arc(
            Path2D path, double x, double y, double width, double height, double from, double by) {
        path.append(new Arc2D.Double(x, y, width, height, from, by, Arc2D.OPEN), false);
    }

    private static void lines(Path2D path, double... points) {
        path.moveTo(points[0], points[1]);
        for (int i = 2; i < points.length; i += 2) {
            path.lineTo(points[i], points[i + 1]);
        }
    }
}
