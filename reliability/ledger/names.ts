import type { Name } from '@tallybook/domain';

/** The name of a tag in version `version`. Both parts contain the version, and their lengths vary. */
export function nameOf(id: string, version: number): Name {
  const filler = 'x'.repeat((version * 37) % 80);
  return { first: `${version} ${filler}`.trim(), last: `of ${id} ${version}` };
}

/** The version of a name; `undefined` if this name was never sent for this tag. */
export function versionOf(id: string, name: Name): number | undefined {
  const version = parseInt(name.first, 10);
  const { first, last } = nameOf(id, version);
  return name.first === first && name.last === last ? version : undefined;
}
