/** A file that may tell of somebody, as the service names it. */
export interface KeptFile {
  readonly name: string;
  /** Why the service could not search it, in its own words; `undefined` if it has found somebody in it. */
  readonly unsearched?: string;
}

const BEHIND_NAME = ' (perhaps: could not be searched, ';

/** Takes apart what the service says behind the name of a file that it could not search. */
export function keptFileOf(said: string): KeptFile {
  const [name = said, why] = said.split(BEHIND_NAME);
  return why === undefined ? { name } : { name, unsearched: why.replace(/\)$/, '') };
}
