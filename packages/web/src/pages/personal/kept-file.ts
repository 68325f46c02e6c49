/** A file that holds data of somebody, or may. */
export interface KeptFile {
  readonly name: string;
  /** Why the service could not search it, in its own words; `undefined` if it has found somebody in it. */
  readonly unsearched?: string;
}

const BEHIND_NAME = ' (perhaps: could not be searched, ';

/** Splits an answer of the service into the name of a file and the reason why it could not be searched. */
export function keptFileOf(said: string): KeptFile {
  const [name = said, why] = said.split(BEHIND_NAME);
  return why === undefined ? { name } : { name, unsearched: why.replace(/\)$/, '') };
}
