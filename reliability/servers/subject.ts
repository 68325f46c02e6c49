/** Whose tags are meant, and how to ask for them. */
export interface Subject {
  /** All tags of a load begin with it. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The tag that is tapped last, so that whoever follows knows that all is told. */
export function lastTagOf(prefix: string): string {
  return `${prefix}FFFFFF`;
}
