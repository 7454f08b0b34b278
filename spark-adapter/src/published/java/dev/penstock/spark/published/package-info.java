/** Runs test suites that Apache Spark publishes, with Penstock installed; for a profile. */
package dev.penstock.spark.published;
