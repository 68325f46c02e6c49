import { tsImport } from 'tsx/esm/api';

const fixture = '../../packages/store-postgres/test/fixtures/postgres-server.ts';

/** A separate PostgreSQL that syncs every commit, which is its default; `undefined` if PostgreSQL is not installed. */
export async function startPostgres() {
  const { findPrograms, TestServer } = await tsImport(fixture, import.meta.url);
  if (findPrograms() === undefined) return undefined;
  return await TestServer.start({ fsync: 'on', full_page_writes: 'on', shared_buffers: '128MB' });
}
