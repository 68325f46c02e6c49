/** Subject and verb for a number of latest commits: `the latest commit is`, `the latest 2 commits are`. */
export function latestCommits(count: number, kind = 'commit'): string {
  return count === 1 ? `the latest ${kind} is` : `the latest ${count} ${kind}s are`;
}
