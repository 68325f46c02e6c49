/** First names of the members who change groups, and of guests. */
export const MEMBER = 'Member';
export const GUEST = 'Guest';

const BITS = 12;

/** The groups that say a version: one for each bit. So a member is in few groups, and in each of them again and again. */
export function groupsOfVersion(version: number): readonly string[] {
  return Array.from({ length: BITS }, (_, bit) => bit).flatMap((bit) =>
    (version & (1 << bit)) === 0 ? [] : [`Squad ${bit}`],
  );
}

/** @param groups Ids of groups. */
export function versionOfGroups(groups: readonly string[]): number {
  return groups.reduce((version, group) => version | (1 << Number(group.split(' ')[1])), 0);
}
