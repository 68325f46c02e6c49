// Compares locked packages with an answer of npm about known vulnerabilities, and with the exceptions of packaging/advisories.json.

/** SECURITY.md promises an update, or a new look at an exception, within this time. */
const LONGEST_EXCEPTION_DAYS = 90;

/** @returns The locked versions of each package, as npm wants them. */
export function readLocked(lockfile) {
  const [, packages] = /\npackages:\n([^]*?)\n\S/.exec(lockfile) ?? [];
  const versions = {};
  for (const [, name, version] of (packages ?? '').matchAll(/^ {2}'?(@?[^@'\s]+)@([^':\s]+)'?:$/gm)) {
    (versions[name] ??= []).push(version);
  }
  return versions;
}

/**
 * @param locked The locked versions by package.
 * @param answer What npm answers about them: advisories by package.
 * @param exceptions Advisories that we know, each with the reason and the last day: `{ id, reason, until }`.
 * @param today `2026-11-29`
 * @returns A line for each problem, and a line for each exception in use.
 */
export function judgeAdvisories({ locked, answer, exceptions, today }) {
  const found = Object.entries(answer).flatMap(([name, advisories]) =>
    advisories.flatMap(({ url, title, severity, vulnerable_versions: range }) => {
      const affected = (locked[name] ?? []).filter((version) => isWithin(version, range));
      const id = url.split('/').at(-1);
      return affected.length === 0
        ? []
        : [{ id, line: `${id}, ${severity}: ${name} ${affected.join(', ')}: ${title}` }];
    }),
  );
  const last = new Date(Date.parse(today) + LONGEST_EXCEPTION_DAYS * 86_400_000).toISOString().slice(0, 10);
  const wrong = exceptions.flatMap(({ id, reason, until }) => {
    if (!reason) return [`the exception of ${id} has no reason`];
    if (!/^\d{4}-\d{2}-\d{2}$/.test(until)) return [`the exception of ${id} does not say until when`];
    if (until < today) return [`the exception of ${id} has expired on ${until}`];
    if (until > last) return [`the exception of ${id} is longer than ${LONGEST_EXCEPTION_DAYS} days`];
    return found.some((each) => each.id === id) ? [] : [`the exception of ${id} is not needed any more`];
  });
  const known = new Map(exceptions.map(({ id, reason, until }) => [id, `until ${until}: ${reason}`]));
  return {
    problems: [...found.filter(({ id }) => !known.has(id)).map(({ line }) => line), ...wrong],
    accepted: found
      .filter(({ id }) => known.has(id))
      .map(({ id, line }) => `${line} (accepted ${known.get(id)})`),
  };
}

/** Whether a version is in a range such as `>=1.0.0 <1.2.3 || =2.0.0`. Whatever else a range may be counts as affected. */
export function isWithin(version, range) {
  return range.split('||').some((part) =>
    part
      .trim()
      .split(/(?<![<>=])[\s,]+/)
      .every((each) => {
        const [, operator, bound] = /^(<=?|>=?|=?)\s*v?(\d+\.\d+\.\d+\S*)$/.exec(each) ?? [];
        if (bound === undefined) return true;
        const order = compare(version, bound);
        if (operator.startsWith('<')) return order < 0 || (order === 0 && operator === '<=');
        if (operator.startsWith('>')) return order > 0 || (order === 0 && operator === '>=');
        return order === 0;
      }),
  );
}

/** The order of Semantic Versioning: `1.0.0-rc.2` is before `1.0.0-rc.10`, and both are before `1.0.0`. */
function compare(one, other) {
  const [a, b] = [one, other].map((version) => {
    const [numbers, pre] = version.split('+')[0].split(/-(.*)/s);
    return { numbers: numbers.split('.').map(Number), pre: pre?.split('.') };
  });
  for (const at of [0, 1, 2]) if (a.numbers[at] !== b.numbers[at]) return a.numbers[at] - b.numbers[at];
  if (a.pre === undefined || b.pre === undefined)
    return Number(a.pre === undefined) - Number(b.pre === undefined);
  for (let at = 0; at < Math.max(a.pre.length, b.pre.length); at++) {
    const [x, y] = [a.pre[at], b.pre[at]];
    if (x === y) continue;
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1;
    const [m, n] = [Number(x), Number(y)];
    if (!Number.isNaN(m) && !Number.isNaN(n)) return m - n;
    if (Number.isNaN(m) && Number.isNaN(n)) return x < y ? -1 : 1;
    return Number.isNaN(m) ? 1 : -1;
  }
  return 0;
}
