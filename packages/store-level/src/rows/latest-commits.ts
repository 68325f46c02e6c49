/** The latest of all commits, with their verb: `the latest commit is`, `the latest 2 commits are`. */
export function latestCommits(count: number, kind = 'commit'): string {
  return count === 1 ? `the latest ${kind} is` : `the latest ${count} ${kind}s are`;
}
