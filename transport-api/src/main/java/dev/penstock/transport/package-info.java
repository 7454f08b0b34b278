/** What an application uses: gates, channels, options and errors. */
package dev.penstock.transport;
