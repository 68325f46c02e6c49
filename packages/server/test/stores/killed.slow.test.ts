import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { runningProcesses } from '../fixtures/processes/running-processes.js';
import type { TallybookProcess } from '../fixtures/processes/server-process.js';
import { temporaryFolder } from '../fixtures/temporary-folder.js';

const WRITERS = 32;

describe('tallybook serve, killed with SIGKILL in the middle of 32 concurrent writers', () => {
  const processes = runningProcesses();
  const folder = temporaryFolder();

  function serve(): TallybookProcess {
    return processes.start('serve', '--port', '0', '--store', `level:${folder.path('store')}`);
  }

  /** Writes names one after another until the server is gone, and records the acknowledged ones. */
  async function writeNames(
    url: string,
    writer: number,
    answered: Map<string, string>,
    onAnswer: () => void,
  ) {
    for (let n = 0; ; n++) {
      const id = `AB${String(writer).padStart(2, '0')}${String(n).padStart(6, '0')}`;
      const body = JSON.stringify({ id, name: { first: `writer ${writer}`, last: `name ${n}` } });
      const headers = { 'content-type': 'application/json' };
      try {
        const response = await fetch(`${url}/api/mapping`, { method: 'POST', headers, body });
        expect(response.status).to.equal(201);
        await response.arrayBuffer();
      } catch (error) {
        if (error instanceof TypeError) return;
        throw error;
      }
      answered.set(id, `name ${n}`);
      onAnswer();
    }
  }

  for (const killAfter of [1, 200, 1_000]) {
    it(`has all acknowledged names after a restart, killed after ${killAfter} answers`, async () => {
      const server = serve();
      const url = await server.url();
      const stream = await EventStream.open(url).then((opened) => {
        opened.ended.catch(() => undefined);
        return opened;
      });
      const answered = new Map<string, string>();
      const onAnswer = (): void => {
        if (answered.size % 10 === 1)
          server.child.stdin.write(`CD${String(answered.size).padStart(8, '0')}\n`);
        if (answered.size === killAfter) server.child.kill('SIGKILL');
      };
      await Promise.all(
        Array.from({ length: WRITERS }, (_, writer) => writeNames(url, writer, answered, onAnswer)),
      );
      await server.exited;
      const announced = stream.events.values
        .filter(({ event }) => event === 'attendance')
        .map(({ data }) => JSON.parse(data) as { id: string; day: number });

      const again = await serve().url();
      const mapping = (await (await fetch(`${again}/api/mapping`)).json()) as Record<
        string,
        { last: string }
      >;
      expect(answered.size).to.be.at.least(killAfter);
      for (const [id, last] of answered) expect(mapping[id]?.last, id).to.equal(last);
      for (const { id, day } of announced) {
        const record = (await (await fetch(`${again}/api/day?day=${day}`)).json()) as { ids: string[] };
        expect(record.ids).to.include(id);
      }
    });
  }
});
