import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('Two processes on one store', () => {
  const { folder, start, serve } = storedService();

  it('cannot have it open at the same time: the second one is refused, and the first one is not affected', async () => {
    const backup = folder.path('backup.jsonl');
    await writeFile(backup, '{"kind":"tallybook","version":1}\n');
    const first = serve();
    const url = await first.url();
    const client = new HttpClient(url);
    const stream = await EventStream.open(url);
    const commands = [['serve', '--port', '0'], ['import', backup], ['repair']];

    for (const [n, command] of commands.entries()) {
      const second = start(...command);
      expect(await second.exited, command.join(' ')).to.equal(1);
      expect(second.text).to.include('(STORE_LOCKED)').and.to.include(folder.path('store'));

      const id = `04A2B3C4D${n}`;
      first.tap(id);
      expect(JSON.parse(await stream.data('attendance', n + 1))).to.include({ id, outcome: 'counted' });
      expect(await client.putName(id, 'Lovelace')).to.equal(201);
    }

    await first.kill();
    const next = new HttpClient(await serve().url());
    expect(await next.allEntries()).to.have.length(commands.length);
    expect(Object.keys(await next.mapping())).to.have.length(commands.length);
  });
});
