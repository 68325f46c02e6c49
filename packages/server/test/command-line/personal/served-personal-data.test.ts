import { parseTallyId, TallybookError, type ErrorCode } from '@tallybook/domain';
import { expect } from 'chai';
import { ServedPersonalData } from '../../../src/command-line/personal/served-personal-data.js';
import type { OwnerClient } from '../../../src/control/owner-client.js';
import { failureOf } from '../../fixtures/failure-of.js';

describe('The data of persons in a service that runs', () => {
  const id = parseTallyId('04A2B3C4D5');
  const refusing = (code: ErrorCode): ServedPersonalData => {
    const client: Pick<OwnerClient, 'get'> = { get: () => Promise.reject(new TallybookError(code, 'no')) };
    return new ServedPersonalData(client as OwnerClient, { keep: undefined, backups: undefined });
  };

  it('has no name for a tag without one, and fails if the service cannot read it', async () => {
    expect(await refusing('NAME_NOT_FOUND').nameOf(id)).to.equal(undefined);
    await failureOf(refusing('STORE_READ_FAILED').nameOf(id), 'STORE_READ_FAILED');
  });
});
