/** Small programs that show how Penstock is embedded. */
package dev.penstock.examples;
