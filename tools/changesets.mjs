// Reads `.changeset/*.md`, in the format of Changesets: a bump for each package, then the text. All packages have one version, so the
// largest bump counts. Changesets itself makes a minor version before 1.0.0 a major one here, because the packages are peers of `domain`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who reads a paragraph, in the order of the changelog. */
export const AUDIENCES = ['Operators', 'Apps', 'Adapter authors'];
const BUMPS = ['patch', 'minor', 'major'];

/** The manifests that have the version of the release: those of packages, examples and `reliability`. */
export function listManifests(root) {
  return ['packages', 'examples', '.'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .map((name) => join(folder, name, 'package.json'))
      .filter((file) => existsSync(join(root, file)) && readManifest(root, file).version !== undefined),
  );
}

export function readManifest(root, file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'));
}

export function readChangesets(root) {
  const packages = listManifests(root).map((file) => readManifest(root, file).name);
  const folder = join(root, '.changeset');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map((file) => ({ file, ...readChangeset(file, readFileSync(join(folder, file), 'utf8'), packages) }));
}

/**
 * @param packages The names that it may have.
 * @returns The bump, and the paragraphs of each audience.
 */
export function readChangeset(file, text, packages) {
  const [, head, body] = /^---\n([^]*?)\n---\n([^]*)$/.exec(text) ?? refuse(file, 'does not begin with ---');
  const bumps = head.split('\n').map((line) => {
    const [, name, bump] =
      /^'([^']+)': (\w+)$/.exec(line) ?? refuse(file, `has ${line}, not 'PACKAGE': BUMP`);
    if (!packages.includes(name)) refuse(file, `names ${name}, which is not a package`);
    if (!BUMPS.includes(bump)) refuse(file, `has ${bump}, which is not one of ${BUMPS.join(', ')}`);
    return BUMPS.indexOf(bump);
  });
  const notes = Object.fromEntries(AUDIENCES.map((audience) => [audience, []]));
  for (const paragraph of body.trim().split(/\n{2,}/)) {
    const [, audience, note] = /^\*\*([^*]+)\*\*: ([^]+)$/.exec(paragraph) ?? [];
    if (!AUDIENCES.includes(audience)) {
      refuse(file, `has a paragraph that does not begin with **${AUDIENCES.join('**:, **')}**:`);
    }
    notes[audience].push(note[0].toUpperCase() + note.slice(1));
  }
  return { bump: BUMPS[Math.max(...bumps)], notes };
}

export function nextVersion(version, bumps) {
  const numbers = version.split('.').map(Number);
  const place = BUMPS.length - 1 - Math.max(...bumps.map((bump) => BUMPS.indexOf(bump)));
  return numbers.map((number, at) => (at < place ? number : at === place ? number + 1 : 0)).join('.');
}

/** @returns The part of the changelog about a version. */
export function describeVersion(version, date, changesets) {
  const parts = AUDIENCES.flatMap((audience) => {
    const notes = changesets.flatMap((changeset) => changeset.notes[audience]);
    return notes.length === 0 ? [] : [`### ${audience}\n\n${notes.map(asItem).join('\n')}\n`];
  });
  return `## ${version} (${date})\n\n${parts.join('\n')}`;
}

function asItem(note) {
  return `- ${note.replaceAll('\n', '\n  ')}`;
}

function refuse(file, problem) {
  throw new Error(`.changeset/${file} ${problem}`);
}
