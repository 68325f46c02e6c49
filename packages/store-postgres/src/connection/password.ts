/** Looks into PGPASSFILE, or `~/.pgpass`; `undefined` if it has none, or others may read it. */
export async function readPassword(connection: {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}): Promise<string> {
  const { default: pgpass } = await import('pgpass');
  return new Promise((resolve, reject) => {
    pgpass({ ...connection }, (password) => {
      if (password === undefined)
        reject(new Error(`no password of ${connection.user} is given, in PGPASSWORD or ~/.pgpass`));
      else resolve(password);
    });
  });
}
