import type { TestRunner } from '@tallybook/testing';

/** A case that a contract passed to its test runner. Without `run` it is skipped. */
export interface CollectedCase {
  readonly suite: string;
  readonly title: string;
  readonly run?: () => void | Promise<void>;
}

/** Collects the cases of a contract without running them. */
export function collect(adopt: (runner: TestRunner) => void): CollectedCase[] {
  const cases: CollectedCase[] = [];
  let suite = '';
  const describe: TestRunner['describe'] = (title, body) => {
    suite = title;
    body();
  };
  const it: TestRunner['it'] = Object.assign(
    (title: string, run: () => void | Promise<void>) => cases.push({ suite, title, run }),
    { skip: (title: string) => cases.push({ suite, title }) },
  );
  adopt({ describe, it });
  return cases;
}

/** Runs the cases of a contract one after another and returns the titles of those that fail. */
export async function failuresOf(adopt: (runner: TestRunner) => void): Promise<string[]> {
  const failed: string[] = [];
  for (const { title, run } of collect(adopt)) {
    try {
      await run?.();
    } catch {
      failed.push(title);
    }
  }
  return failed;
}
