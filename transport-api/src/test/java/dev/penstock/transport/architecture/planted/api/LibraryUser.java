package dev.penstock.transport.architecture.planted.api;

import com.tngtech.archunit.core.domain.JavaClass;

/** Breaks a rule on purpose: the test of the rule must name it. */
public class LibraryUser {
  JavaClass type;
}
