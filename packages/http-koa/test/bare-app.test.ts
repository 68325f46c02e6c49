import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTallybook } from '@tallybook/domain';
import { record } from '@tallybook/domain/record';
import { ManualClock, MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { openApiDocument } from './fixtures/open-api-document.js';
import { composeStorage } from '../../store-memory/src/compose-storage.js';
import { createApp } from '../src/index.js';
import { RunningService } from './fixtures/running-service.js';

/** Paths of optional services, by what their answers name. */
const optional: Readonly<Record<string, readonly string[]>> = {
  'corrections, which record() adds': ['/api/corrections', '/api/corrections/decision', '/api/scans'],
  'backup, which record() adds': ['/api/export'],
  'ranges, which record() adds': ['/api/table', '/api/csv', '/api/xlsx'],
  'unnamed, which record() adds': ['/api/unnamed'],
  'directory, which record() adds': [
    ...['/api/person', '/api/person/merge', '/api/person/split', '/api/tag'],
  ],
  'tags, which record({ digest }) adds': ['/api/id'],
  'health, which record() adds': ['/api/health', '/api/health/live', '/api/health/ready'],
  'personal, which personal() adds': ['/api/erasures', '/api/retention', '/api/person/data'],
  'access, which access() adds': [
    ...['', '/provider', '/provider/answer', '/provider/sign-out', '/passkey', '/passkey/challenge'].map(
      (rest) => `/api/session${rest}`,
    ),
    ...['/api/passkeys', '/api/passkeys/challenge', '/api/setup', '/api/password'],
    ...['/api/users', '/api/credentials', '/api/tokens'],
  ],
  'audit, which access() adds': ['/api/audit'],
  'centre, which sync() adds': ['/api/sync', '/api/sync/changes', '/api/sync/snapshot', '/api/stations'],
  statusSource: ['/api/status', '/api/publishers/send-again'],
  metrics: ['/api/metrics'],
};
/** Those that no tallybook lacks. */
const unexplained = ['/api/readers', '/api/readers/{name}/readings'];

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).to.equal(404);
  return response.text();
}

describe('An application without corrections, a backup service, ranges and a reader monitor', () => {
  it('answers 404 on their routes, and says what would add them', async () => {
    await using service = await RunningService.start({ isBare: true });
    // Not through `request`, which compares answers with the OpenAPI document of the complete application.
    const said = (path: string): Promise<string> => textAt(`http://127.0.0.1:${service.port}${path}`);
    for (const [what, paths] of Object.entries(optional)) {
      for (const path of paths) expect(await said(path)).to.equal(`Not offered here: the app has no ${what}`);
    }
    for (const path of [...unexplained, '/api/nowhere']) expect(await said(path)).to.equal('Not found');
    expect(service.reports).to.deep.equal([]);
  });

  it('names the facets that the storage lacks, where the service needs them', async () => {
    const clock = new ManualClock();
    const stores = { mapping: new MemoryMappingStore(), days: new MemoryDayStore() };
    const tallybook = createTallybook({
      ...{ storage: composeStorage(stores), clock, calendar: {}, readers: [] },
      with: [record({ corrections: false })],
    });
    const server = createServer(createApp(tallybook).callback()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const said = (path: string): Promise<string> =>
      textAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    try {
      await tallybook.open();
      const reason = 'Not offered here: the storage has no ';
      expect(await said('/api/scans')).to.equal(`${reason}corrections`);
      expect(await said('/api/retention')).to.equal(`${reason}erasures`);
      expect(await said('/api/session')).to.equal(`${reason}access`);
      expect(await said('/api/audit')).to.equal(`${reason}audit`);
      expect(await said('/api/sync')).to.equal(
        `${reason}provisional, corrections, erasures, stampedNames, stations`,
      );
      expect(await said('/api/id')).to.equal(
        'Not offered here: the app has no tags, which record({ digest }) adds',
      );
      expect(await said('/api/nowhere')).to.equal('Not found');
    } finally {
      server.closeAllConnections();
      server.close();
      await tallybook.close();
    }
  });

  it('serves everything else', async () => {
    await using service = await RunningService.start({ isBare: true });
    await service.tap('04A2B3C4D5');
    expect((await service.request('/api/day?day=20413')).status).to.equal(200);
    expect((await service.request('/api/mapping')).status).to.equal(200);
  });

  it('describes exactly its own routes', async () => {
    await using service = await RunningService.start({ isBare: true });
    const { text } = await service.request('/api/openapi.json');
    const { paths } = JSON.parse(text) as typeof openApiDocument;
    const served = Object.keys(openApiDocument.paths).filter(
      (path) => ![...unexplained, ...Object.values(optional).flat()].includes(path),
    );
    expect(Object.keys(paths)).to.deep.equal(served);
  });
});
