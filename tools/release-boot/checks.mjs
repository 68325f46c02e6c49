/** Runs checks one after another, and prints a line for each. */
export class Checks {
  passed = 0;
  failed = 0;

  /** @param work Rejects if the fact of the title does not hold. It may return a detail. */
  check = async (title, work) => {
    const began = performance.now();
    try {
      const detail = await work();
      this.passed++;
      const seconds = Math.round((performance.now() - began) / 1000);
      const time = seconds > 0 ? ` (${seconds} s)` : '';
      console.log(`ok    ${title}${detail ? `: ${detail}` : ''}${time}`);
    } catch (error) {
      this.failed++;
      console.log(`FAIL  ${title}: ${error.message}`);
    }
  };
}

export function expect(actual, expected) {
  if (actual !== expected)
    throw new Error(`${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
}
