// The change of mocha by left-out.cjs.
declare namespace Mocha {
  interface Context {
    /** Leaves out the test, or the tests of the hook's suite. The report shows the reason. */
    skip(reason: string): never;
  }
}
