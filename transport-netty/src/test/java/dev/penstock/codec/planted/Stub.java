package dev.penstock.codec.planted;

/** Stands for a class of another module. */
public class Stub {}
