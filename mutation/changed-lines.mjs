import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCE = /^packages\/([^/]+)\/src\/.+\.ts$/;
const HUNK = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/;

/**
 * The lines of sources that differ from a revision, committed or not. For each package: ranges in the form of Stryker, such
 * as `packages/domain/src/day.ts:10-20`.
 */
export function findChangedLines(root, revision) {
  const ranges = {};
  const add = (file, first, last) => {
    const [, name] = SOURCE.exec(file);
    (ranges[name] ??= []).push(`${file}:${first}-${last}`);
  };
  let file;
  for (const line of git(root, 'diff', '--unified=0', '--no-color', '--no-prefix', revision).split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice(4);
    const [, first, count = '1'] = HUNK.exec(line) ?? [];
    // If lines were only removed, there is nothing to mutate.
    if (first === undefined || count === '0' || !SOURCE.test(file)) continue;
    add(file, Number(first), Number(first) + Number(count) - 1);
  }
  for (const each of git(root, 'ls-files', '--others', '--exclude-standard').split('\n')) {
    if (SOURCE.test(each)) add(each, 1, readFileSync(join(root, each), 'utf8').split('\n').length);
  }
  return ranges;
}

function git(root, ...args) {
  return execFileSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
}
