/** A source, a sink and a program that show the adapter at work. */
package dev.penstock.spark.demo;
