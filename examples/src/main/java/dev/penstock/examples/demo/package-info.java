/**
 * The demo, {@code mvn -q -Pdemo verify}: two JVMs with two producers each send real records to two
 * JVMs with two consumers each, over 4 × 4 channels. First at full speed, with every connection cut
 * once; then at a steady pace, for latency. {@link dev.penstock.examples.demo.Demo} starts the
 * others and judges; {@link dev.penstock.examples.demo.RecordWriter} and {@link
 * dev.penstock.examples.demo.RecordReader} are what to copy from.
 */
package dev.penstock.examples.demo;
