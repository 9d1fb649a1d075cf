package dev.penstock.presidents.portrait;

import java.awt.Shape;
import java.awt.geom.Path2D;
import java.util.regex.Pattern;

/** Hair styles: an outline, as points that a curve runs through, on the head of {@link Bust}. */
enum Hair {
    QUEUE(
            Look.QUEUE,
            """
            64 20, 52 13, 34 17, 23 34, 21 54, 25 74, 32 80, 38 74, 36 64, 42 66, 50 62, 50 52,
            46 46, 52 36, 60 28\
            """),
    BALD(
            Look.BALD,
            """
            40 40, 32 34, 25 42, 22 56, 25 72, 32 82, 38 76, 41 64, 46 60, 47 48\
            """),
    SWEPT(
            Look.SWEPT,
            """
            72 26, 70 12, 54 5, 34 10, 22 28, 20 52, 25 74, 33 80, 38 70, 44 62, 46 50, 54 46,
            56 36, 64 30\
            """),
    LONG(
            Look.LONG,
            """
            68 24, 58 14, 38 15, 23 30, 18 54, 19 80, 24 92, 34 90, 39 76, 44 66, 47 54, 54 48,
            58 34\
            """),
    TOUSLED(
            Look.TOUSLED,
            """
            74 32, 76 24, 66 22, 66 13, 54 16, 44 10, 36 18, 26 22, 26 34, 19 44, 23 56, 22 70,
            33 80, 38 68, 45 60, 46 48, 56 44, 58 34, 66 36\
            """),
    FULL(
            Look.FULL,
            """
            72 30, 68 17, 54 11, 36 15, 23 32, 21 54, 26 74, 33 79, 38 70, 43 62, 45 50, 54 47,
            56 38, 62 30\
            """),
    CURLY(
            Look.CURLY,
            """
            75 34, 78 27, 70 24, 72 15, 60 17, 56 9, 46 14, 36 11, 32 20, 23 24, 25 34, 18 42,
            23 52, 19 64, 26 70, 30 79, 38 70, 45 60, 46 48, 56 44, 60 32\
            """),
    TALL(
            Look.TALL,
            """
            70 26, 72 10, 62 1, 50 6, 34 10, 22 30, 20 54, 25 74, 33 80, 38 70, 45 62, 46 48,
            55 42, 60 32\
            """),
    PARTED(
            Look.PARTED,
            """
            70 26, 62 15, 46 13, 32 19, 23 36, 22 56, 27 74, 33 78, 38 68, 43 60, 46 48, 54 42,
            62 32\
            """),
    SHORT(
            Look.SHORT,
            """
            71 26, 62 16, 48 14, 34 18, 25 34, 23 54, 27 72, 33 77, 38 68, 43 58, 46 46, 54 40,
            60 28\
            """),
    RECEDING(
            Look.RECEDING,
            """
            60 20, 48 14, 34 18, 24 34, 22 56, 27 74, 33 78, 38 68, 43 60, 46 48, 50 40, 52 28\
            """),
    POMPADOUR(
            Look.POMPADOUR,
            """
            74 32, 78 20, 70 8, 54 6, 36 13, 23 30, 21 54, 26 74, 33 79, 38 70, 43 62, 46 50,
            54 44, 60 32, 66 28\
            """),
    CROPPED(
            Look.CROPPED,
            """
            70 24, 60 16, 48 15.5, 36 20, 26 36, 24 54, 28 72, 33 75, 38 66, 44 56, 47 45,
            55 38, 60 28\
            """),
    FORWARD(
            Look.FORWARD,
            """
            80 34, 81 24, 70 13, 52 9, 34 15, 22 32, 19 54, 22 76, 30 82, 38 70, 43 60, 46 50,
            54 45, 58 36, 68 31\
            """);

    /** What calls for it. */
    final Look look;

    private final String outline;

    Hair(Look look, String outline) {
        this.look = look;
        this.outline = outline;
    }

    Shape shape() {
        return smooth(outline);
    }

    /** Curves from the forehead over the crown to the nape, side by side. */
    static Shape strands() {
        Path2D strands = new Path2D.Double();
        for (double inward = 0; inward < 40; inward += 2.9) {
            strands.moveTo(80 - inward * 0.3, 30 + inward * 0.6);
            strands.curveTo(
                    60 - inward * 0.2, 4 + inward, 22 + inward, 8 + inward, 22 + inward * 0.7, 50);
            strands.curveTo(20 + inward * 0.7, 66, 26 + inward * 0.4, 76, 30 + inward * 0.4, 92);
        }
        return strands;
    }

    /** A closed smooth curve (Catmull-Rom) through points, written as {@code x y, x y, ...}. */
    static Path2D smooth(String outline) {
        double[] points =
                Pattern.compile("[ ,\\n]+")
                        .splitAsStream(outline)
                        .mapToDouble(Double::parseDouble)
                        .toArray();
        int count = points.length / 2;
        Path2D path = new Path2D.Double();
        path.moveTo(points[0], points[1]);
        for (int i = 0; i < count; i++) {
            double[] control = new double[6];
            for (int axis = 0; axis < 2; axis++) {
                double before = points[(i + count - 1) % count * 2 + axis];
                double from = points[i * 2 + axis];
                double to = points[(i + 1) % count * 2 + axis];
                double after = points[(i + 2) % count * 2 + axis];
                control[axis] = from + (to - before) / 6;
                control[2 + axis] = to - (after - from) / 6;
                control[4 + axis] = to;
            }
            path.curveTo(control[0], control[1], control[2], control[3], control[4], control[5]);
        }
        path.closePath();
        return path;
    }
}
