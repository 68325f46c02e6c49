// What left-out.cjs makes of mocha.
declare namespace Mocha {
  interface Context {
    /** Leaves the test out, or those of the suite of the hook; the report shows why. */
    skip(reason: string): never;
  }
}
