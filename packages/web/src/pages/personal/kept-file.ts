/** A file that holds data of a person, or may hold it. */
export interface KeptFile {
  readonly name: string;
  /** The service's reason why it could not search the file; `undefined` if it found the person in the file. */
  readonly unsearched?: string;
}

const BEHIND_NAME = ' (perhaps: could not be searched, ';

/** Splits an answer of the service into the name of a file and the reason why it could not be searched. */
export function keptFileOf(said: string): KeptFile {
  const [name = said, why] = said.split(BEHIND_NAME);
  return why === undefined ? { name } : { name, unsearched: why.replace(/\)$/, '') };
}
