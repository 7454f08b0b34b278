/** A Spark shuffle over Penstock: producing and consuming stages run at the same time. */
package dev.penstock.spark;
