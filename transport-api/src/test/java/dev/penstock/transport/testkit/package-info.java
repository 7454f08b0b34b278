/**
 * Tests that other modules inherit: contracts, recorders, and a codec that differs from the real
 * one in everything a codec may differ in.
 */
package dev.penstock.transport.testkit;
