import { expect } from 'chai';
import { HttpClient } from '../fixtures/http/http-client.js';
import { noMidnight } from '../fixtures/processes/no-midnight.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('scans that a device pushes to a killed service', () => {
  const service = storedService();
  let url: string;

  async function serve(...more: readonly string[]): Promise<TallybookProcess> {
    const server = service.serve('--clock', 'trusted', ...noMidnight(), '--reader', 'http:gate', ...more);
    url = await server.url();
    return server;
  }

  async function push(body: unknown): Promise<Response> {
    return fetch(`${url}/api/readers/gate/readings`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  it('are all there after many kills while a device sends, and only those of the last request are there twice', async () => {
    const count = 300;
    // Each scan has another second, so that a scan that is taken twice would show.
    const scans = Array.from({ length: count }, (_, index) => ({
      id: `AB${String(index % 10).padStart(8, '0')}`,
      n: index + 1,
      ageMs: (count - index) * 10_000,
    }));
    const began = Date.now();
    let kept = scans;
    for (let kills = 0; kept.length > 0;) {
      const server = await serve('--repeat-window', '0');
      while (kept.length > 0) {
        const some = kept.slice(0, 7);
        // The age grows while the reading waits.
        const readings = some.map((scan) => ({ ...scan, ageMs: scan.ageMs + Date.now() - began }));
        const sent = push({ run: 'a', readings });
        if (kills < 5 && kept.length < count - 50 * kills) {
          kills++;
          setImmediate(() => server.child.kill('SIGKILL'));
        }
        const isAnswered = await sent.then(
          async (response) => response.ok && (await response.text()).endsWith('}'),
          () => false,
        );
        if (!isAnswered) break;
        kept = kept.slice(some.length);
      }
      await server.kill();
    }
    await serve();
    const counts = new Map<string, number>();
    for (const { id, count: scanCount } of await new HttpClient(url).allEntries()) {
      counts.set(id, (counts.get(id) ?? 0) + scanCount);
    }
    const total = [...counts.values()].reduce((sum, each) => sum + each, 0);
    expect(counts.size).to.equal(10);
    expect(total).to.be.at.least(count);
    // The scans of one request may be taken twice for each kill between record and receipt.
    expect(total).to.be.at.most(count + 5 * 7);
  });
});
