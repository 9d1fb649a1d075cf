package dev.penstock.documents.format;

import dev.penstock.documents.ConverterOptions;
import dev.penstock.documents.Profile;
import dev.penstock.documents.buffer.Bytes;
import dev.penstock.documents.buffer.Output;
import dev.penstock.documents.buffer.Rope;
import dev.penstock.documents.buffer.Scratch;
import dev.penstock.documents.buffer.Sizes;
import dev.penstock.documents.format.Frame.Gaps;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/*
 * The places of values while the document comes in
 *
 * JSON wants the values of one key together, XML brings them in any order. So each open element (a frame) has a rope
 * for each of its keys, and the values that have been finished are in it; when the element ends, its value is put
 * together from them and goes into the rope of its parent's key. Ropes move without being copied, and the long ones
 * move into the temporary file when there are more bytes in memory than the limit allows.
 *
 * One chain of elements from the root on is written directly. A key of such an element becomes its direct key when it
 * has a second value and is long: then what is known of the element goes out up to that key's array, and the values
 * that follow under the key go out as they end, or become links of the chain themselves. All other keys follow at the
 * element's end. So a long list of records passes through without being held.
 */
/** A writer of the JSON of one document from its nodes in document order, in bounded memory. */
final class JsonBuilder {
    private static final int SPILLED_FROM = 4_096;

    private final Output out;
    private final Scratch scratch;
    private final int directFrom;
    private final boolean isExact;
    private final boolean isTyped;
    private final @Nullable ForcedArrays forced;
    private final Key textKey = new Key(Key.TEXT);
    private final Key cdataKey = new Key(Key.CDATA);
    private final Key commentKey = new Key(Key.COMMENT);
    private final Key instructionKey = new Key(Key.INSTRUCTION);
    private final Key orderKey = new Key(Key.ORDER);

    private @Nullable Frame[] stack = new Frame[16];
    private int top;
    private Frame frame;

    private final TextRun run;
    private boolean isIndentationKnown;
    private @Nullable String indentation;

    JsonBuilder(OutputStream stream, Scratch scratch, ConverterOptions options, Sizes sizes) {
        this.directFrom = sizes.direct();
        this.out = new Output(stream);
        this.scratch = scratch;
        this.isExact = options.profile() == Profile.EXACT;
        this.isTyped = options.typedValues();
        ForcedArrays paths = ForcedArrays.of(options.forcedArrays());
        this.forced = paths.isEmpty() ? null : paths;
        this.run = new TextRun(scratch);
        this.frame = new Frame(scratch);
        stack[0] = frame;
        frame.reset(null, 0, true);
        frame.forced = forced;
    }

    /** Begins the document; the version is null where there is no declaration. */
    void startDocument(
            @Nullable String version, @Nullable String encoding, @Nullable String standalone) {
        frame.begun = true;
        out.put('{');
        if (version != null && isExact) {
            put("\"#xml\":{\"version\":\"" + version + '"');
            if (encoding != null) {
                put(",\"encoding\":\"");
                out.escape(encoding);
                out.put('"');
            }
            put(standalone == null ? "}," : ",\"standalone\":\"" + standalone + "\"},");
        }
    }

    private void put(String ascii) {
        out.put(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    void startElement(Key key) {
        Frame parent = frame;
        endText(parent, top);
        Slot slot = parent.node(key);
        if (top == 0) {
            parent.directSlot = slot;
            requireOrder(parent, slot);
            out.put(key.member);
            if (slot.forced) {
                out.put('[');
            }
        }
        top++;
        if (top == stack.length) {
            stack = Arrays.copyOf(stack, top * 2);
        }
        Frame child = stack[top];
        if (child == null) {
            child = new Frame(scratch);
            stack[top] = child;
        }
        child.reset(slot, top, parent.directSlot == slot);
        if (parent.forced != null) {
            child.forced = parent.forced.child(key.stored);
        }
        frame = child;
    }

    void attribute(Key key, String value) {
        Rope attributes = frame.attributes;
        if (attributes.size() > 0) {
            attributes.put(',');
        }
        attributes.put(key.attribute);
        string(attributes, value, isTyped && Typed.isLiteral(value));
    }

    private static void string(Bytes target, String value, boolean literal) {
        if (literal) {
            target.escape(value);
            return;
        }
        target.put('"');
        target.escape(value);
        target.put('"');
    }

    /** Takes text; what comes without another node between is one text. */
    void text(char[] text, int from, int length) {
        if (length == 0) {
            return;
        }
        run.add(text, from, length, isTyped);
        relieve();
    }

    void cdata(String text) {
        special(cdataKey, text);
        frame.hasText = true;
    }

    void comment(String text) {
        special(commentKey, text);
    }

    void processingInstruction(String target, String data) {
        special(instructionKey, data.isEmpty() ? target : target + ' ' + data);
    }

    private void special(Key key, String value) {
        if (!isExact && key != cdataKey) {
            return;
        }
        endText(frame, top);
        if (key == cdataKey && frame.gaps == Gaps.REGULAR) {
            frame.recordOrder();
        }
        Slot slot = frame.node(key);
        string(beginValue(frame, slot), value, false);
        relieve();
    }

    /** Ends the text before a node that is none, or before the end, where a line is indented by this many levels. */
    private void endText(Frame owner, int level) {
        if (run.isPresent() && !run.isBlank()) {
            textNode(owner);
        }
        if (isExact && owner.depth > 0) {
            gap(owner, level);
        }
        run.clear();
    }

    private void textNode(Frame owner) {
        if (isExact) {
            isIndentationKnown = true;
            if (owner.gaps == Gaps.UNKNOWN) {
                owner.gaps = Gaps.EXPLICIT;
            } else if (owner.gaps == Gaps.REGULAR) {
                owner.recordOrder();
            }
        }
        owner.hasText = true;
        owner.textInGap = true;
        Slot slot = owner.node(textKey);
        run.writeTo(beginValue(owner, slot));
    }

    private void gap(Frame owner, int level) {
        if (owner.textInGap) {
            owner.textInGap = false;
            return;
        }
        if (!isIndentationKnown) {
            isIndentationKnown = true;
            indentation = run.indentation();
        }
        boolean isRegular = run.isIndentation(indentation, level);
        if (owner.gaps == Gaps.UNKNOWN) {
            owner.gaps = isRegular ? Gaps.REGULAR : Gaps.EXPLICIT;
        }
        boolean isExpected = owner.gaps == Gaps.REGULAR ? isRegular : run.blankLength() == 0;
        if (!isExpected) {
            owner.recordOrder();
            owner.order.gap(run.blank(), run.blankLength());
        }
    }

    /** Returns where the next value under a key goes, after a comma where it needs one. */
    private Bytes beginValue(Frame owner, Slot slot) {
        Bytes target = owner.directSlot == slot ? out : slot.values;
        if (slot.written++ > 0) {
            target.put(',');
        }
        return target;
    }

    void endElement() {
        Frame ended = frame;
        Frame parent = stack[top - 1];
        Slot own = ended.own;
        if (parent == null || own == null) {
            throw new IllegalStateException("No element is open");
        }
        if (ended.slotCount == 0) {
            leaf(beginValue(parent, own), ended);
            run.clear();
        } else {
            endText(ended, top - 1);
            boolean differs = indentation != null && ended.gaps == Gaps.EXPLICIT && !ended.hasText;
            if (differs) {
                ended.recordOrder();
            }
            object(ended, ended.begun ? out : beginValue(parent, own));
        }
        top--;
        frame = parent;
        if (parent.direct
                && parent.directSlot == null
                && own.isArray()
                && own.values.size() >= directFrom) {
            writeDirectly(parent, own);
        }
        relieve();
    }

    private void leaf(Bytes target, Frame ended) {
        boolean isObject = ended.hasAttributes();
        if (isObject) {
            target.put('{');
            target.take(ended.attributes);
            if (run.isPresent()) {
                target.put(',');
                target.put(textKey.member);
            }
        }
        ForcedArrays path = ended.forced == null ? null : ended.forced.child(Key.TEXT);
        boolean isArray = isObject && run.isPresent() && path != null && path.isForced();
        if (isArray) {
            target.put('[');
        }
        if (run.isPresent()) {
            run.writeTo(target);
        } else if (!isObject) {
            target.put(NULL);
        }
        if (isArray) {
            target.put(']');
        }
        if (isObject) {
            target.put('}');
        }
    }

    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    /** Writes an element as an object, or what has not been written of it. */
    private void object(Frame ended, Bytes target) {
        boolean isFirst = !ended.begun;
        if (isFirst) {
            target.put('{');
            if (ended.hasAttributes()) {
                isFirst = false;
                target.take(ended.attributes);
            }
        } else {
            target.put(']');
        }
        members(ended, target, isFirst);
        target.put('}');
    }

    private void members(Frame ended, Bytes target, boolean isFirst) {
        boolean first = isFirst;
        for (int i = 0; i < ended.slotCount; i++) {
            Slot slot = ended.slots[i];
            if (slot == ended.directSlot) {
                continue;
            }
            if (!first) {
                target.put(',');
            }
            first = false;
            target.put(slot.key.member);
            if (slot.isArray()) {
                target.put('[');
            }
            target.take(slot.values);
            if (slot.isArray()) {
                target.put(']');
            }
        }
        if (isExact && ended.order.isRecorded()) {
            target.put(',');
            target.put(orderKey.member);
            target.put('"');
            ended.order.writeTo(target);
            target.put('"');
        }
    }

    /** Writes what is known of an element that is written directly, up to the values of its direct key. */
    private void writeDirectly(Frame owner, Slot slot) {
        Frame parent = stack[owner.depth - 1];
        Slot own = owner.own;
        if (parent == null || own == null) {
            throw new IllegalStateException("The document is not an element");
        }
        beginValue(parent, own);
        out.put('{');
        if (owner.hasAttributes()) {
            out.take(owner.attributes);
            out.put(',');
        }
        out.put(slot.key.member);
        out.put('[');
        out.take(slot.values);
        owner.directSlot = slot;
        owner.begun = true;
        requireOrder(owner, slot);
    }

    /** Records an order where a key is written before others whose nodes came first. */
    private static void requireOrder(Frame owner, Slot slot) {
        if (owner.slots[0] != slot) {
            owner.recordOrder();
        }
    }

    void endDocument() {
        Frame document = frame;
        Slot root = document.directSlot;
        if (root != null && root.forced) {
            out.put(']');
        }
        members(document, out, false);
        String unit = indentation;
        if (unit != null) {
            put(",\"#indent\":\"" + Space.encode(unit) + '"');
        }
        out.put('}');
        out.flush();
    }

    private void relieve() {
        if (!scratch.isFull()) {
            return;
        }
        for (int i = top + 1; i < stack.length; i++) {
            Frame unused = stack[i];
            if (unused != null) {
                unused.release();
                stack[i] = null;
            }
        }
        spill(SPILLED_FROM);
        if (scratch.isFull()) {
            spill(0);
        }
        scratch.requireRelief();
    }

    private void spill(int least) {
        run.spill(least);
        for (int i = 0; i <= top; i++) {
            Frame open = stack[i];
            if (open != null) {
                open.spill(least);
            }
        }
    }
}
