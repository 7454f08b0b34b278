/** What several examples need and is not about Penstock: child JVMs that talk in lines. */
package dev.penstock.examples.support;
