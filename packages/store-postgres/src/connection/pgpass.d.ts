declare module 'pgpass' {
  interface ConnectionInfo {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  }
  function pgpass(connection: ConnectionInfo, done: (password: string | undefined) => void): void;
  export = pgpass;
}
