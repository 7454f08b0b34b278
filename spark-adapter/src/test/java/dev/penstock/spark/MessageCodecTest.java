package dev.penstock.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageCodecTest {
  private static Message sample(Class<?> kind) throws ReflectiveOperationException {
    RecordComponent[] components = kind.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      if (types[i] == int.class) {
        values[i] = 7 + i;
      } else if (types[i] == long.class) {
        values[i] = (1L << 40) + i;
      } else if (types[i] == boolean.class) {
        values[i] = true;
      } else {
        values[i] = "text " + i;
      }
    }
    return (Message) kind.getDeclaredConstructor(types).newInstance(values);
  }

  @Test
  void shouldReadBackEveryKindOfMessage() throws ReflectiveOperationException {
    for (Class<?> kind : Message.class.getPermittedSubclasses()) {
      Message message = sample(kind);
      assertThat(MessageCodec.decode(MessageCodec.encode(message))).isEqualTo(message);
    }
  }

  @Test
  void shouldRefuseWhatIsCutShort() {
    byte[] whole = MessageCodec.encode(new Message.GiveUp(1, true, "because"));

    assertThatThrownBy(() -> MessageCodec.decode(Arrays.copyOf(whole, whole.length - 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldRefuseAnotherRelease() {
    byte[] message = MessageCodec.encode(new Message.Ok());
    message[0]++;

    assertThatThrownBy(() -> MessageCodec.decode(message))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same release");
  }

  @Test
  void shouldShortenEndlessReasons() {
    Message.Refused sent = new Message.Refused("x".repeat(100_000));

    Message.Refused got = (Message.Refused) MessageCodec.decode(MessageCodec.encode(sent));

    assertThat(got.reason()).hasSize(4_000);
  }
}
