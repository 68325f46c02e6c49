import { explained } from './explained.mjs';

/** Lowest share of the mutants of a package that its tests must notice, in per cent. */
export const LOWEST_SCORE = 85;

/**
 * What came of the mutants of a package: the counts, of those that no test notices the ones that nobody has explained, and those that
 * timed out.
 *
 * @param results Of Stryker, with paths in `file` from the packages folder on.
 * @param sourceOf The text of a source by its path.
 */
export function report(name, results, sourceOf) {
  const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const describeAll = (...statuses) =>
    results
      .filter(({ status }) => statuses.includes(status))
      .map((mutant) => describe(mutant, sourceOf(mutant.fileName)));
  const missed = describeAll('Survived', 'NoCoverage');
  const unexplained = missed.filter(({ file, change }) => !isExplained(file, change));
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
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  return {
    file: fileName.replace(/^.*packages\/([^/]+)\/src\//, '$1/'),
    line: start.line,
    change: `${onOneLine(lines.join('\n'))} -> ${onOneLine(replacement)}`,
    status,
  };
}

function isExplained(file, change) {
  return explained.some((each) => each[file]?.includes(change) === true);
}

function onOneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
