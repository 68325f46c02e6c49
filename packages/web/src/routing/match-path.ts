/** Parameters in the address of a page, by name. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Matches a path with a pattern such as `/days/:from?/:to?`: `:` marks a parameter, and `?` one that may be left out.
 *
 * @returns The values of the parameters; `undefined` if the path does not match.
 */
export function matchPath(pattern: string, path: string): PathParams | undefined {
  const wanted = partsOf(pattern);
  const parts = partsOf(path);
  const params: Record<string, string | undefined> = {};
  const isMatch = wanted.every((each, index) => {
    const part = parts[index];
    if (!each.startsWith(':')) return each === part;
    params[each.replace(/\W/g, '')] = part;
    return part !== undefined || each.endsWith('?');
  });
  return isMatch && parts.length <= wanted.length ? params : undefined;
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter((part) => part !== '');
}
