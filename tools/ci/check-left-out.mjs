// Compares the left-out tests with .ci/left-out.json: each must be in the list with its reason, and the reason must hold. A
// reason without `unless` always holds. With `unless`, it holds only if one of the listed items is missing: a program, a
// path, `root` or `IPv6`. An item with `or` is missing only if none of its parts is there.
import { existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * The errors: a line for each test that was left out without permission.
 *
 * @returns {string[]}
 */
export function findWronglyLeftOut(leftOut, allowed, isThere = isOnThisMachine) {
  return leftOut.flatMap(({ file, title, reason }) => {
    const entry = allowed.find(
      (each) => new RegExp(each.file).test(file) && new RegExp(each.reason).test(reason),
    );
    const where = `${file}: ${title}: ${reason}`;
    if (entry === undefined) return [`not in .ci/left-out.json: ${where}`];
    const isAnyThere = (what) => what.split(' or ').some((each) => isThere(each));
    if (entry.unless?.every(isAnyThere) !== true) return [];
    return [`left out although there is ${entry.unless.join(' and ')}: ${where}`];
  });
}

function isOnThisMachine(what) {
  if (what === 'root') return process.getuid?.() === 0;
  if (what === 'IPv6') return addresses().includes('::1');
  if (what.startsWith('/')) return existsSync(what);
  const folders = [...(process.env.PATH ?? '').split(':'), ...SYSTEM_FOLDERS];
  return folders.some((folder) => existsSync(join(folder, what)));
}

function addresses() {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

/** The list in the repository. */
export function readAllowed() {
  return JSON.parse(readFileSync(new URL('../../.ci/left-out.json', import.meta.url), 'utf8'));
}
