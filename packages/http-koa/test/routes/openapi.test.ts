import { readFileSync } from 'node:fs';
import { TallybookError, toDay } from '@tallybook/domain';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { openApiDocument } from '../fixtures/open-api-document.js';
import { expectSchema } from '../fixtures/documented.js';
import { RunningService, ScriptedIdentityProvider, useService } from '../fixtures/running-service.js';
import { StreamClient } from '../fixtures/stream-client.js';

/** Schemas of event data, by type of the event. */
const schemas: Readonly<Record<string, string>> = {
  attendance: 'Attendance',
  failed: 'Failed',
  names: 'NameCounts',
  day: 'DayChange',
  reset: 'Reset',
};

/** A service with all optional parts. */
function startWhole(): Promise<RunningService> {
  return RunningService.start({ provider: new ScriptedIdentityProvider() });
}

describe('the OpenAPI document', () => {
  const service = useService(startWhole);

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(openApiDocument) as never);
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
    expect(validator.version).to.equal('3.1');
  });

  it('has the version of the package', () => {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    expect(openApiDocument.info.version).to.equal((JSON.parse(text) as { version: string }).version);
  });

  it('is served: each of its operations has a handler', async () => {
    const { text } = await service.request('/api/openapi.json');
    expect(text).to.equal(JSON.stringify(openApiDocument));
  });

  it('describes the data of events', async () => {
    await service.post({ id: '04A2B3C4D5', name: { first: 'Ada', last: 'Lovelace' } });
    const client = await StreamClient.connect(service);
    for (const id of ['04A2B3C4D5', '0011223344']) await service.tap(id);
    service.clock.setSynchronised(false);
    service.clock.advance(1_000);
    await service.tap('04A2B3C4D5');
    await service.attendance.close();
    service.clock.reboot('second', 1_763_800_000);
    service.clock.setSynchronised(true);
    await service.attendance.open();
    await client.receive(7);
    service.days.failure = new TallybookError('STORE_WRITE_FAILED', 'the disk is full');
    await service.tap('04A2B3C4D5');
    service.days.failure = undefined;
    await service.attendance.removeDay(toDay(20_413));
    await client.receive(10);
    service.journal.append({ kind: 'repaired' });
    const events = await client.receive(11);
    const kinds = new Set(
      events.map(({ event, data = '' }) =>
        event === 'msg' ? event : Object.keys(JSON.parse(data) as object).join(),
      ),
    );
    expect(kinds.size).to.equal(7);
    for (const { event, data = '' } of events) {
      if (event === 'msg') expectSchema('TallyId', data);
      else expectSchema(schemas[event ?? ''] ?? '', JSON.parse(data));
    }
  });

  it('describes the accepted bodies', async () => {
    const body = { id: '04:a2-b3 c4D5', name: { first: 'Ada', last: '' } };
    expectSchema('NewMapping', body);
    expect((await service.post(body)).status).to.equal(201);
  });
});
