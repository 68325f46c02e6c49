import { explained } from './explained.mjs';
import { isOf, onOneLine } from './explained-change.mjs';

/** Lowest share of mutants, in per cent, that the tests of a package must notice. */
export const LOWEST_SCORE = 85;

/**
 * The results of the mutants of a package: counts, the unexplained ones among those that no test notices, and those that
 * timed out.
 *
 * @param results Results of Stryker. The paths in `file` are relative to the folder `packages`.
 * @param sourceOf Gives the text of a source by its path.
 */
export function report(name, results, sourceOf) {
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const describeAll = (...statuses) =>
    results
      .filter(({ status }) => statuses.includes(status))
      .map((mutant) => describe(mutant, sourceOf(mutant.fileName)));
  const missed = describeAll('Survived', 'NoCoverage');
  const unexplained = missed.filter((mutant) => !isExplained(mutant));
  const row = {
    package: name,
    'score %': Number(((100 * noticed) / Math.max(noticed + missed.length, 1)).toFixed(1)),
    killed: count('Killed'),
    'timed out': count('Timeout'),
    survived: count('Survived'),
    'without a test': count('NoCoverage'),
    explained: missed.length - unexplained.length,
    'not counted': count('Ignored', 'RuntimeError', 'CompileError'),
  };
  return { row, unexplained, timedOut: describeAll('Timeout') };
}

function describe({ fileName, location, replacement, status }, source) {
  const [start, end] = [offsetOf(location.start, source), offsetOf(location.end, source)];
  const from = onOneLine(source.slice(start, end)).trim();
  const to = onOneLine(replacement).trim();
  return {
    file: fileName.replace(/^.*packages\/([^/]+)\/src\//, '$1/'),
    line: location.start.line,
    change: `${from} -> ${to}`,
    place: { before: onOneLine(source.slice(0, start)), from, after: onOneLine(source.slice(end)), to },
    status,
  };
}

/** Lines and columns are counted from 1. */
function offsetOf({ line, column }, source) {
  const linesBefore = source.split('\n').slice(0, line - 1);
  return linesBefore.reduce((sum, { length }) => sum + length + 1, column - 1);
}

function isExplained({ file, place }) {
  return Object.values(explained).some((each) => each[file]?.some((change) => isOf(change, place)) === true);
}
