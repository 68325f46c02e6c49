/**
 * The two functions of a test runner that the contracts need. mocha, node:test, vitest and jest have them, so a
 * suite is adopted by `someContract({ describe, it }, …)`.
 */
export interface TestRunner {
  readonly describe: (title: string, body: () => void) => unknown;
  readonly it: {
    (title: string, body: () => void | Promise<void>): unknown;
    readonly skip: (title: string) => unknown;
  };
}

/** Cases that an adapter does not pass for a good reason. They are skipped, with the reason in the title. */
export interface Deviation {
  readonly reason: string;
  /** Exact titles of the cases. A title that the contract does not have is an error. */
  readonly cases: readonly string[];
}

/** An adapter under test, for a contract. */
export interface ContractOptions<Make> {
  readonly name: string;
  /** Makes the subject of a case. */
  readonly make: Make;
  readonly deviations?: readonly Deviation[] | undefined;
}

/** Makes a subject that depends on nothing. */
export type MakeSubject<Subject> = () => Promise<Subject> | Subject;

/** One promise: its title, and its check. */
export type ContractCase<Make> = readonly [title: string, run: (make: Make) => Promise<void>];

/**
 * Runs the cases of a contract under a test runner.
 *
 * @param port Name of the port, with its article: `a DayStore`.
 * @throws {RangeError} if a deviation names a case that does not exist.
 */
export function runCases<Make>(
  { describe, it }: TestRunner,
  port: string,
  cases: readonly ContractCase<Make>[],
  { name: adapter, make, deviations = [] }: ContractOptions<Make>,
): void {
  const title = `${adapter} as ${port}`;
  const excused = new Map(
    deviations.flatMap(({ reason, cases }) => cases.map((name) => [name, reason] as const)),
  );
  const known = new Set(cases.map(([name]) => name));
  for (const name of excused.keys()) {
    if (!known.has(name)) throw new RangeError(`${title} has no case "${name}" to deviate from`);
  }
  describe(title, () => {
    for (const [name, run] of cases) {
      const reason = excused.get(name);
      if (reason === undefined) it(name, () => run(make));
      else it.skip(`${name} (deviates: ${reason})`);
    }
  });
}

/** A case on a subject of its own, which is cleaned up afterwards. */
export function onSubject<Make, Subject extends { readonly cleanup: () => Promise<void> }>(
  title: string,
  subjectOf: (make: Make) => Promise<Subject> | Subject,
  body: (subject: Subject) => Promise<void> | void,
): ContractCase<Make> {
  return [
    title,
    async (make) => {
      const subject = await subjectOf(make);
      try {
        await body(subject);
      } finally {
        await subject.cleanup();
      }
    },
  ];
}

/** Cases of one kind: their checks by their titles. */
export function casesOf<Body, Make>(
  on: (title: string, body: Body) => ContractCase<Make>,
  table: Readonly<Record<string, Body>>,
): readonly ContractCase<Make>[] {
  return Object.entries(table).map(([title, body]) => on(title, body));
}
