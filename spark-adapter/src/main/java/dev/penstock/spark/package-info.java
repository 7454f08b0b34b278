/** A Spark shuffle over Penstock. Not built yet: this package is empty. */
package dev.penstock.spark;
