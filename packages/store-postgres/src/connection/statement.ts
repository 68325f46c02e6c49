/** SQL that is sent many times. Because it has a name, the database plans it once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** A connection or a transaction that takes SQL. Numbers of 64 bits come as numbers, `bytea` as a `Buffer`. */
export interface Queryable {
  query<R extends object>(statement: Statement | string, values?: readonly unknown[]): Promise<readonly R[]>;
}
