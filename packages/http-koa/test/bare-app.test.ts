import { expect } from 'chai';
import { openApiDocument } from './fixtures/open-api-document.js';
import { RunningService } from './fixtures/running-service.js';

const optional = [
  '/api/erasures',
  '/api/retention',
  '/api/person/data',
  '/api/corrections',
  '/api/corrections/decision',
  '/api/scans',
  '/api/export',
  '/api/audit',
  '/api/readers',
  '/api/readers/{name}/readings',
  '/api/status',
  '/api/publishers/send-again',
  '/api/health',
  '/api/health/live',
  '/api/health/ready',
  '/api/metrics',
  '/api/id',
  '/api/unnamed',
  '/api/table',
  '/api/csv',
  '/api/xlsx',
  '/api/session',
  '/api/session/provider',
  '/api/session/provider/answer',
  '/api/session/provider/sign-out',
  '/api/session/passkey',
  '/api/session/passkey/challenge',
  '/api/passkeys',
  '/api/passkeys/challenge',
  '/api/setup',
  '/api/password',
  '/api/users',
  '/api/credentials',
  '/api/tokens',
  '/api/sync',
  '/api/sync/changes',
  '/api/sync/snapshot',
  '/api/stations',
];

describe('An application without corrections, a backup service, ranges and a reader monitor', () => {
  it('answers 404 on their routes', async () => {
    await using service = await RunningService.start({ isBare: true });
    for (const path of optional) {
      // Not through `request`, which compares answers with the OpenAPI document of the complete application.
      const response = await fetch(`http://127.0.0.1:${service.port}${path}`);
      expect([response.status, await response.text()]).to.deep.equal([404, 'Not found']);
    }
    expect(service.reports).to.deep.equal([]);
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
    const served = Object.keys(openApiDocument.paths).filter((path) => !optional.includes(path));
    expect(Object.keys(paths)).to.deep.equal(served);
  });
});
