// Compares the tests that were left out with .ci/left-out.json: each must be there with its reason, and the reason must hold.
// An entry without `unless` always holds; else it holds only where one of these is missing: a program, a path, `root` or
// `IPv6`, or one of several with `or` between them.
import { accessSync, existsSync, readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';

const SYSTEM_FOLDERS = ['/usr/sbin', '/usr/local/sbin'];

/**
 * What is wrong, a line for each test that was left out without leave.
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
  return folders.some((folder) => canRun(join(folder, what)));
}

function addresses() {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

function canRun(file) {
  try {
    accessSync(file);
    return true;
  } catch {
    return false;
  }
}

/** The list that is kept with the sources. */
export function readAllowed() {
  return JSON.parse(readFileSync(new URL('../../.ci/left-out.json', import.meta.url), 'utf8'));
}
