/** The tags of a load, and the header fields of its requests. */
export interface Subject {
  /** Prefix of all tags of a load. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The tag of the last tap: after it, a follower of the stream has got all changes. */
export function lastTagOf(prefix: string): string {
  return `${prefix}FFFFFF`;
}
