package dev.penstock.transport.netty.planted;

/** Stands for a class of another module. */
public class Shell {}
