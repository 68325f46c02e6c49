// Measures the sizes of packages, and of their installations, and compares them with the table of the reference.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatPage } from '../format-page.mjs';
import { root } from './packing.mjs';

const TABLE = 'docs/reference/packages.md';
/** Allowed growth: sizes depend a little on the compressor, and on releases of other packages. */
const LEEWAY = 1.05;

/** The columns of the table after the name, and the unit step of each. One step more does not count as growth. */
const COLUMNS = {
  tarball: { unit: ' kB', title: 'tarball', step: 1 },
  unpacked: { unit: ' kB', title: 'unpacked', step: 1 },
  packages: { unit: '', title: 'packages installed', step: 0 },
  installed: { unit: ' MB', title: 'on disk', step: 0.1 },
};

/**
 * Measures packed packages.
 *
 * @param tarballs Tarballs by the names of the packages.
 * @param project Project in which all of them are installed.
 * @returns A row for each package, by its name.
 */
export function measureSizes(tarballs, project) {
  const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages;
  const bytes = new Map();
  const bytesOf = (place) => {
    if (!bytes.has(place)) bytes.set(place, sizeOf(join(project, place)));
    return bytes.get(place);
  };
  const rows = [...tarballs].map(([name, file]) => {
    const places = findInstalled(lock, `node_modules/${name}`, project);
    const sizes = {
      tarball: Math.round(statSync(file).size / 1_000),
      unpacked: Math.round(bytesOf(`node_modules/${name}`) / 1_000),
      packages: places.length,
      installed: Math.round(places.reduce((sum, place) => sum + bytesOf(place), 0) / 100_000) / 10,
    };
    return [name, sizes];
  });
  return new Map(rows.sort(([a], [b]) => a.localeCompare(b)));
}

/** The places of a package and of all its dependencies on this machine, in the form of the lockfile of npm. */
function findInstalled(lock, first, project) {
  const found = new Set();
  const visit = (place) => {
    if (found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {} } = lock[place];
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const needed = placesFrom(place, name).find((each) => each in lock);
      // Packages for other machines are only in the lockfile.
      if (needed !== undefined && existsSync(join(project, needed))) visit(needed);
    }
  };
  visit(first);
  return [...found];
}

/** The places where Node looks for a package, the nearest first. */
function placesFrom(place, name) {
  const folders = place.split('/node_modules/');
  const above = folders.map((_, index) => folders.slice(0, folders.length - index).join('/node_modules/'));
  return [...above.map((folder) => `${folder}/node_modules/${name}`), `node_modules/${name}`];
}

/** Size of a folder in bytes, without packages installed below it. */
function sizeOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? sizeOf(path) : statSync(path).size);
    }, 0);
}

/**
 * @returns One line for each size above the table, and for each package that is missing in the table or in the
 * measurement.
 */
export function compareSizes(measured) {
  const listed = readTable();
  const missing = [...listed.keys()].filter((name) => !measured.has(name));
  const problems = missing.map((name) => `${TABLE} lists ${name}, which is not published`);
  for (const [name, sizes] of measured) {
    const limits = listed.get(name);
    if (limits === undefined) problems.push(`${TABLE} does not list ${name}`);
    else problems.push(...compareRow(name, sizes, limits));
  }
  return problems;
}

function compareRow(name, sizes, limits) {
  return Object.entries(COLUMNS)
    .filter(([key, { step }]) => !(sizes[key] <= limits[key] * LEEWAY + step))
    .map(
      ([key, { title, unit }]) => `${name}, ${title}: ${sizes[key]}${unit}, listed are ${limits[key]}${unit}`,
    );
}

/**
 * The table of the reference.
 *
 * @returns {Map<string, Record<'tarball' | 'unpacked' | 'packages' | 'installed', number>>}
 */
export function readTable() {
  const rows = readFileSync(join(root, TABLE), 'utf8').matchAll(/^\| `(@tallybook\/[^`]+)` +\|(.*)\|$/gm);
  return new Map(
    [...rows].map(([, name, cells]) => {
      const numbers = cells.split('|').map((cell) => Number.parseFloat(cell.replaceAll(',', '')));
      return [name, Object.fromEntries(Object.keys(COLUMNS).map((key, index) => [key, numbers[index]]))];
    }),
  );
}

/** Writes the table again. The text around it is not changed. */
export async function writeSizes(measured) {
  const file = join(root, TABLE);
  const lines = [
    ['package', ...Object.values(COLUMNS).map(({ title }) => title)],
    ['---', ...Object.keys(COLUMNS).map(() => '--:')],
    ...[...measured].map(([name, sizes]) => [`\`${name}\``, ...formatRow(sizes)]),
  ].map((cells) => `| ${cells.join(' | ')} |\n`);
  const text = readFileSync(file, 'utf8').replace(/(?:^\|.*\n)+/m, lines.join(''));
  writeFileSync(file, await formatPage(text));
}

function formatRow(sizes) {
  return Object.entries(COLUMNS).map(([key, { unit }]) => `${sizes[key].toLocaleString('en')}${unit}`);
}
