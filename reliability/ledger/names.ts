import type { Name } from '@tallybook/domain';

/** The name that version `version` of the association of a tag has. Both parts tell the version, and lengths differ. */
export function nameOf(id: string, version: number): Name {
  const filler = 'x'.repeat((version * 37) % 80);
  return { first: `${version} ${filler}`.trim(), last: `of ${id} ${version}` };
}

/** The version of a name, `undefined` if nobody ever sent this name for this tag. */
export function versionOf(id: string, name: Name): number | undefined {
  const version = parseInt(name.first, 10);
  const { first, last } = nameOf(id, version);
  return name.first === first && name.last === last ? version : undefined;
}
