/** The wire codec in Simple Binary Encoding. */
package dev.penstock.codec.sbe;
