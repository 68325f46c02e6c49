import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect } from 'chai';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { RunningService } from '../../http-koa/test/fixtures/running-service.js';

/** Ten calls of a client that another tool makes from the OpenAPI document. Each gives the status of its answer. */
const CALLS = `
import createClient from 'openapi-fetch';
import type { paths } from './interface.js';

export async function call(baseUrl: string): Promise<readonly (readonly [string, number])[]> {
  const client = createClient<paths>({ baseUrl });
  const id = '04A2B3C4D5';
  const answers = {
    assign: await client.POST('/api/mapping', { body: { id, name: { first: 'Ada', last: 'Lovelace' } } }),
    mapping: await client.GET('/api/mapping', { params: { query: { id } } }),
    named: await client.GET('/api/mappings'),
    day: await client.GET('/api/day', { params: { query: { day: '20413', expand: 'entries' } } }),
    days: await client.GET('/api/days', { params: { query: { from: '0', to: '1763800000' } } }),
    today: await client.GET('/api/today', { headers: { Accept: 'application/json' } }),
    correct: await client.POST('/api/corrections', {
      body: { action: 'add', day: 20413, id, at: 1763690000, reason: 'Forgot to tap' },
    }),
    push: await client.POST('/api/readers/{name}/readings', {
      params: { path: { name: 'gate' } },
      body: { readings: [{ id, n: 1 }] },
    }),
    session: await client.GET('/api/session'),
    remove: await client.DELETE('/api/mapping', { params: { query: { id } } }),
  };
  const first: string | undefined = answers.session.data?.access;
  const entries: number | undefined = answers.today.data?.entries.length;
  const made: number | undefined = answers.correct.data?.[0]?.number;
  if (first === undefined || entries === undefined || made === undefined) throw new Error('no data');
  return Object.entries(answers).map(([name, { response }]) => [name, response.status]);
}
`;

describe('a client that another tool makes from the OpenAPI document', () => {
  it('compiles, and calls ten operations', async () => {
    await using service = await RunningService.start();
    await service.tap('04A2B3C4D5');
    const base = `http://127.0.0.1:${service.port}`;
    // The compiler blocks this process for longer than the service keeps an unused connection.
    const { text } = await service.request('/api/openapi.json', { headers: { Connection: 'close' } });
    // Beside the packages that the program imports.
    const folder = await mkdtemp(fileURLToPath(new URL('../node_modules/.generated-', import.meta.url)));
    try {
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await writeFile(join(folder, 'interface.ts'), astToString(await openapiTS(text)));
      await writeFile(join(folder, 'calls.ts'), CALLS);
      const program = ts.createProgram([join(folder, 'calls.ts')], {
        ...{ strict: true, skipLibCheck: true, types: [] },
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.NodeNext,
        moduleResolution: ts.ModuleResolutionKind.NodeNext,
        lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      });
      const found = ts.getPreEmitDiagnostics(program);
      expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).to.deep.equal(
        [],
      );
      program.emit();
      const { call } = (await import(pathToFileURL(join(folder, 'calls.js')).href)) as {
        readonly call: (url: string) => Promise<readonly (readonly [string, number])[]>;
      };
      expect(Object.fromEntries(await call(base))).to.deep.equal({
        ...{ assign: 201, mapping: 200, named: 200, day: 200, days: 200, today: 200 },
        ...{ correct: 201, push: 200, session: 200, remove: 204 },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
