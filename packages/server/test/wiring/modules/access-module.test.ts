import { mkdir, writeFile } from 'node:fs/promises';
import { serviceId } from '@tallybook/server';
import { expect } from 'chai';
import { containerOf } from '../../fixtures/container-of.js';
import { recordedLog } from '../../fixtures/logged.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

describe('A service that cannot write the files for its owner', () => {
  const folder = temporaryFolder();

  for (const [file, service, said] of [
    ['control.sock', 'controlSocket', /^commands such as "tallybook user" cannot reach this service/],
    ['setup-code', 'setupCodeFile', /^could not write the setup code into a file; it is in this log$/],
  ] as const) {
    it(`reports that another object is in the place of ${file}, and continues`, async () => {
      const store = folder.path('store');
      await mkdir(folder.path('store', file, 'other'), { recursive: true });
      await writeFile(folder.path('store', file, 'other', 'file'), '');
      const { log, lines } = recordedLog();
      const container = containerOf({ store: `level:${store}`, host: '0.0.0.0' }, { log });
      await using storage = container.get(serviceId('storage'));
      await storage.open();
      await using users = container.get(serviceId('tallybook')).access;
      await users.open();
      await using resource = container.get(serviceId(service));
      await resource.open();
      expect(resource.status).to.equal('open');
      const warned = lines.values.find(({ msg }) => said.test(msg));
      expect(warned).to.include({ level: 40 });
      expect(warned?.['err']).to.be.an('object');
    });
  }
});
