package dev.penstock.http.websocket;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.http.websocket.WebSocketMessages.Refused;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Tests of the number of compressed messages in parts that may be under way, of one client and of all. */
final class MessageInflaterTest {
    private static final byte[] TEXT = "hello, hello, hello".getBytes(US_ASCII);
    private static final byte[] COMPRESSED = DeflateClient.compress(TEXT, 6);
    private static final byte[] BEGIN = Arrays.copyOf(COMPRESSED, 3);
    private static final byte[] REST = Arrays.copyOfRange(COMPRESSED, 3, COMPRESSED.length);

    private final UnfinishedMessages unfinished = new UnfinishedMessages(12);

    private MessageInflater begun(long client) throws Refused {
        MessageInflater inflater = new MessageInflater(1000, unfinished, client);
        inflater.part(BEGIN, false);
        return inflater;
    }

    @Test
    void messages_ofOneClient_leaveRoomForThoseOfOthers() throws Exception {
        Queue<MessageInflater> first = new ArrayDeque<>();
        for (int i = 0; i < 3; i++) {
            first.add(begun(1));
        }
        assertThatThrownBy(() -> begun(1))
                .isInstanceOf(Refused.class)
                .hasMessage(
                        "This client has 3 compressed messages under way, the most: end one first");
        for (int client = 2; client <= 4; client++) {
            for (int i = 0; i < 3; i++) {
                begun(client);
            }
        }
        assertThatThrownBy(() -> begun(5))
                .isInstanceOf(Refused.class)
                .hasMessage("Too many compressed messages are under way: try later");
        // Whole ones are no part of them.
        assertThat(new MessageInflater(1000, unfinished, 1L).part(COMPRESSED, true))
                .isEqualTo(TEXT);
        MessageInflater ended = first.remove();
        ended.part(REST, true);
        ended.close();
        begun(5).close();
        begun(1);
        assertThatThrownBy(() -> begun(1)).isInstanceOf(Refused.class);
    }
}
