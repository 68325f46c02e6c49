import { mkdir, rm, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { readSetupCode, requireStarted } from '../../../src/command-line/access/setup-code-command.js';
import type { OwnerClient } from '../../../src/control/owner-client.js';
import { failureOf } from '../../fixtures/failure-of.js';
import { withStores } from '../../fixtures/stores/varied-store.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

/** A service with a state of access and with users. */
function service(access: string, users: readonly object[] = []): OwnerClient {
  const answers: Readonly<Record<string, unknown>> = { '/api/session': { access }, '/api/users': users };
  const client: Pick<OwnerClient, 'get'> = { get: <T>(path: string) => Promise.resolve(answers[path] as T) };
  return client as OwnerClient;
}

describe('readSetupCode', () => {
  const folder = temporaryFolder();
  const store = (): string => `level:${folder.path('store')}`;
  beforeEach(async () => {
    await mkdir(folder.path('store'));
    await writeFile(folder.path('store', 'setup-code'), 'ABCD-EFGH-JKMN\n');
  });

  it('gives the code of a running, unclaimed service, without its line end', async () => {
    expect(await readSetupCode(store(), service('unclaimed'), true)).to.equal('ABCD-EFGH-JKMN');
  });

  it('says how to start a service that has not made its store yet', async () => {
    expect(await failureOf(requireStarted(store()), 'STORE_UNAVAILABLE')).to.match(
      /^the service has not started yet: start it with "sudo systemctl start tallybook" .*no store at /,
    );
    await withStores(store(), () => requireStarted(store()));
  });

  it('gives the first reason why there is no code', async () => {
    const ada = [{ name: 'ada' }];
    const database = 'postgres://tally@localhost/tally?site=a';
    for (const [reason, url, client, isRunning] of [
      [/the service has users already/, database, service('open', ada), false],
      [/only the log of a service on PostgreSQL has it/, database, service('open'), false],
      [/the service does not run/, store(), service('open'), false],
      [/the service is open to everybody/, store(), service('open'), true],
      [/the service is open to everybody/, store(), service('claimed'), true],
    ] as const) {
      const message = await failureOf(readSetupCode(url, client, isRunning), 'INVALID_OPTION');
      expect(message)
        .to.match(/^there is no setup code: /)
        .and.match(reason);
    }
  });

  it('mentions the code in the log if its file cannot be read', async () => {
    await rm(folder.path('store', 'setup-code'));
    const message = await failureOf(readSetupCode(store(), service('unclaimed'), true), 'STORE_UNAVAILABLE');
    expect(message).to.match(/ENOENT.*the log of the service has it, too$/);
  });
});
