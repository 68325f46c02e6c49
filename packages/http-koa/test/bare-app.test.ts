import { createTallybook } from '@tallybook/domain';
import { record } from '@tallybook/domain/record';
import { ManualClock, MemoryDayStore, MemoryMappingStore } from '@tallybook/testing';
import { expect } from 'chai';
import { LocalServer } from './fixtures/local-server.js';
import { openApiDocument } from './fixtures/open-api-document.js';
import { composeStorage } from '../../store-memory/src/compose-storage.js';
import { createApp } from '../src/index.js';
import { RunningService, useService } from './fixtures/running-service.js';

/** Names of the paths of optional services, by what their answers name. */
const optional: Readonly<Record<string, readonly string[]>> = {
  'corrections, which record() adds': ['corrections', 'scans'],
  'backup, which record() adds': ['export'],
  'ranges, which record() adds': ['table', 'csv', 'xlsx'],
  'directory, which record() adds': ['person', 'tag', 'groups', 'guest', 'people'],
  'unnamed, which record() adds': ['unnamed'],
  'tags, which record({ digest }) adds': ['id'],
  'health, which record() adds': ['health'],
  'personal, which personal() adds': ['erasures', 'retention', 'person/data'],
  'access, which access() adds': [
    ...['session', 'passkeys', 'setup', 'password', 'users', 'credentials', 'tokens'],
  ],
  'audit, which access() adds': ['audit'],
  'centre, which sync() adds': ['sync', 'stations'],
  statusSource: ['status', 'publishers'],
  restore: ['restore'],
  settings: ['settings', 'restart'],
  metrics: ['metrics'],
};
/** That of paths that no tallybook lacks. */
const UNEXPLAINED = 'readers';

/** The paths of the interface that are, or begin with, one of these names. */
function pathsOf(...names: readonly string[]): readonly string[] {
  return Object.keys(openApiDocument.paths).filter((path) => {
    const [, , first = '', ...rest] = path.split('/');
    // The data of a person is another service than the person.
    const isData = first === 'person' && rest[0] === 'data';
    return names.includes(isData ? 'person/data' : first);
  });
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status).to.equal(404);
  return response.text();
}

describe('An application without corrections, a backup service, ranges and a reader monitor', () => {
  const service = useService(() => RunningService.start({ isBare: true }));

  it('answers 404 on their routes, and says what would add them', async () => {
    // Not through `request`, which compares answers with the OpenAPI document of the complete application.
    const said = (path: string): Promise<string> => textAt(`http://127.0.0.1:${service.port}${path}`);
    for (const [what, names] of Object.entries(optional)) {
      for (const path of pathsOf(...names))
        expect(await said(path)).to.equal(`Not offered here: the app has no ${what}`);
    }
    for (const path of [...pathsOf(UNEXPLAINED), '/api/nowhere', '/api/'])
      expect(await said(path)).to.equal('Not found');
    expect(service.reports).to.deep.equal([]);
  });

  it('names the facets that the storage lacks, where the service needs them', async () => {
    const clock = new ManualClock();
    const stores = { mapping: new MemoryMappingStore(), days: new MemoryDayStore() };
    const tallybook = createTallybook({
      ...{ storage: composeStorage(stores), clock, calendar: {}, readers: [] },
      with: [record({ corrections: false })],
    });
    await using server = await new LocalServer(createApp(tallybook).callback()).listen();
    const said = (path: string): Promise<string> => textAt(server.url + path);
    try {
      await tallybook.open();
      const reason = 'Not offered here: the storage has no ';
      expect(await said('/api/scans')).to.equal(`${reason}corrections`);
      for (const path of ['/api/person', '/api/person/merge', '/api/tag', '/api/groups', '/api/people'])
        expect(await said(path)).to.equal(`${reason}people`);
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
      await tallybook.close();
    }
  });

  it('serves everything else', async () => {
    await service.tap('04A2B3C4D5');
    expect((await service.request('/api/day?day=20413')).status).to.equal(200);
    expect((await service.request('/api/mapping')).status).to.equal(200);
  });

  it('describes exactly its own routes', async () => {
    const { paths } = await service.json<typeof openApiDocument>('/api/openapi.json');
    const absent = pathsOf(UNEXPLAINED, ...Object.values(optional).flat());
    expect([...Object.keys(paths), ...absent]).to.have.members(Object.keys(openApiDocument.paths));
  });
});
