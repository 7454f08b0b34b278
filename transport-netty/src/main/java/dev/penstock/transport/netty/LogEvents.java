package dev.penstock.transport.netty;

/** What an append log tells its lane. Levels are asked of the log; these are hints to look. */
interface LogEvents {
  /**
   * The log was idle and now has something to send, or memory that the loop can free: call {@link
   * AppendLog#tryIdle}, and send if that fails. On the writer's thread, at most once for each time
   * the log went idle.
   */
  void committed();

  /**
   * Everything committed so far was cut, and the log is not idle: at the end of the turn call
   * {@link AppendLog#tryIdle}, and go on sending if that fails. On the loop, at most once until
   * then.
   */
  void drained();
}
