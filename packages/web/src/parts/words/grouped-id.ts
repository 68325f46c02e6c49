/** An id in pairs, as it is printed on many tags; nobody takes that for a number. */
export function groupedId(id: string): string {
  return id.match(/../g)?.join(' ') ?? id;
}
