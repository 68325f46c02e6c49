/** What an address says of its page, by name. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * Whether a path is of a pattern such as `/days/:from?/:to?`, in which `:` is before a name and `?` behind what may be left out.
 *
 * @returns What stands in the place of each name; `undefined` if it is of another pattern.
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
