package dev.penstock.transport.protocol;

/** What a lane has counted since it was made. Plain fields, written on the lane's thread. */
public final class LaneStats {
  /** DATA frames written, retransmissions included. */
  public long dataFramesSent;

  /** Payload bytes of them. */
  public long payloadBytesSent;

  /** DATA frames accepted. */
  public long dataFramesReceived;

  /** Payload bytes of them. */
  public long payloadBytesReceived;

  /** DATA frames that started before the highest position ever sent. */
  public long retransmittedFrames;

  /** Payload bytes that the receiver had not got when a connection broke. */
  public long resumedBytes;

  /** Record bytes of which the receivers said that they have them. */
  public long acknowledgedBytes;

  /** How often the lane came up again after it had been up. */
  public long resumes;

  /** CREDIT frames written. */
  public long creditsSent;

  /** DEMAND frames written. */
  public long demandsSent;

  /** Frames for channels that are over. */
  public long framesDropped;

  /** Creates zeros. */
  public LaneStats() {}
}
