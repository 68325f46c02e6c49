// Checks a package before it is packed: its repository, its dependencies, and the links of its README.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readManifest } from './packing.mjs';

/** @returns One line for each error. */
export function checkManifests(root, folders) {
  const { repository } = readManifest(root);
  const home = repository.url.replace(/^git\+|\.git$/g, '');
  return folders.flatMap((folder) => {
    const manifest = readManifest(folder);
    if (manifest.private === true) return [];
    const name = basename(folder);
    const problems = [
      ...checkOrigin(manifest, { repository: { ...repository, directory: `packages/${name}` }, home, name }),
      ...checkDependencies(manifest),
      ...checkLinks(readFileSync(join(folder, 'README.md'), 'utf8'), { root, home }),
    ];
    return problems.map((problem) => `packages/${name}: ${problem}`);
  });
}

function checkOrigin(manifest, { repository, home, name }) {
  const expected = {
    repository,
    homepage: `${home}/tree/main/packages/${name}#readme`,
    bugs: `${home}/issues`,
  };
  const problems = Object.entries(expected)
    .filter(([field, value]) => JSON.stringify(manifest[field]) !== JSON.stringify(value))
    .map(([field, value]) => `"${field}" is not ${JSON.stringify(value)}`);
  if (!(manifest.keywords?.length > 3)) problems.push('"keywords" has none of its own');
  return problems;
}

/**
 * Dependencies that must not be installed: a device that runs the service needs neither types nor the contract suites.
 */
function checkDependencies({ dependencies = {} }) {
  return Object.keys(dependencies)
    .filter((name) => name.startsWith('@types/') || name === '@tallybook/testing')
    .map((name) => `${name} is no dependency at run time`);
}

/** Checks the links of a README. People read it without the rest of the repository beside it. */
function checkLinks(readme, { root, home }) {
  const targets = [...readme.matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)/gm)].map(
    ([, inline, reference]) => inline ?? reference,
  );
  return targets.flatMap((target) => {
    if (!/^(?:https?:|#)/.test(target)) return [`the README links to ${target}, which is not in the package`];
    const [, path] = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(target.replace(home, '')) ?? [];
    return path === undefined || existsSync(join(root, path)) ? [] : [`the README links to ${target}`];
  });
}
