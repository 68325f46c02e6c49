// Collects the licenses of the packages in a program: licenses must be distributed together with the code.
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const LINE = `\n${'-'.repeat(72)}\n\n`;

/**
 * @param files Files that were put into the program.
 * @returns One text with the license of each third-party package.
 * @throws If a package has no license.
 */
export async function collectLicenses(files) {
  const folders = new Set(files.map(findPackage).filter((folder) => folder !== undefined));
  const texts = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const file = (await readdir(folder)).find((each) => /^licen[sc]e/i.test(each));
    if (license === undefined) throw new Error(`${folder} says nothing of its license`);
    const text = file === undefined ? `${license}\n` : await readFile(join(folder, file), 'utf8');
    texts.set(`${name} ${version} (${license})`, text.trim());
  }
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([title, text]) => `${title}\n\n${text}\n`).join(LINE);
}

/** The packages in the text of {@link collectLicenses}, as `{ name, version, license }`. */
export function readLicenses(text) {
  return text.split(LINE).map((part) => {
    const title = /^(?<name>\S+) (?<version>\S+) \((?<license>.+)\)\n/.exec(part);
    if (title === null) throw new Error(`no package has the title ${part.split('\n', 1)[0]}`);
    return { ...title.groups };
  });
}

/** The folder of the package of a file; `undefined` for our own packages. */
function findPackage(file) {
  if (!file.includes('node_modules/')) return undefined;
  let folder = dirname(file);
  // Some packages have a further package.json without a name in a subfolder.
  while (!/node_modules\/(?:@[^/]+\/)?[^/]+$/.test(folder)) folder = dirname(folder);
  return existsSync(join(folder, 'package.json')) ? folder : undefined;
}
