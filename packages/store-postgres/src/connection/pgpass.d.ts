declare module 'pgpass' {
  interface ConnectionInfo {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  }
  export default function pgpass(
    connection: ConnectionInfo,
    done: (password: string | undefined) => void,
  ): void;
}
