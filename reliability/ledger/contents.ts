/** One tag on one day, as the service shows it. */
export interface ShownEntry {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Everything that a service or a store shows. */
export interface Contents {
  readonly mapping: ReadonlyMap<string, { readonly first: string; readonly last: string }>;
  readonly days: ReadonlyMap<number, readonly ShownEntry[]>;
}
