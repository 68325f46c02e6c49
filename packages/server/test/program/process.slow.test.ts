import { connect } from 'node:net';
import { expect } from 'chai';
import { EventStream } from '../fixtures/http/event-stream.js';
import { HttpClient } from '../fixtures/http/http-client.js';
import { storedService } from '../fixtures/processes/stored-service.js';

describe('tallybook serve, as a process', () => {
  const { processes, start, serve } = storedService();

  /** Ids of the latest day with a record: today, even if midnight has just passed. */
  async function latestIds(url: string): Promise<string[]> {
    const http = new HttpClient(url);
    return (await http.entries((await http.days()).at(-1) ?? 0)).map(({ id }) => id);
  }

  it('records and streams a typed id', async () => {
    const server = serve();
    const url = await server.url();
    const stream = await EventStream.open(url);
    server.child.stdin.write('04A2B3C4D5\n');
    expect(await stream.data('msg')).to.equal('04A2B3C4D5');
    expect(JSON.parse(await stream.data('attendance'))).to.include({ outcome: 'counted', reader: 'stdin' });
    expect(await latestIds(url)).to.deep.equal(['04A2B3C4D5']);
    stream.close();
  });

  it('continues when its input ends', async () => {
    const server = serve();
    const url = await server.url();
    server.child.stdin.end('04A2B3C4D5');
    await server.says(/READER_DISCONNECTED/);
    await server.says(/scan recorded/);
    expect(await latestIds(url)).to.deep.equal(['04A2B3C4D5']);
  });

  it('continues after SIGHUP without a certificate and without a terminal', async () => {
    const server = serve();
    const url = await server.url();
    server.child.kill('SIGHUP');
    server.child.stdin.write('04A2B3C4D5\n');
    await server.says(/scan recorded/);
    expect(await latestIds(url)).to.deep.equal(['04A2B3C4D5']);
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`stops on ${signal} with exit code 0, ends the streams, and keeps the record`, async () => {
      const server = serve();
      const stream = await EventStream.open(await server.url());
      server.child.stdin.write('04A2B3C4D5\n');
      await stream.data('attendance');
      server.child.kill(signal);
      await stream.ended;
      expect(await server.exited).to.equal(0);
      expect(server.text).to.match(/stopped/);

      expect(await latestIds(await serve().url())).to.deep.equal(['04A2B3C4D5']);
    });
  }

  it('stops once when the signal comes twice, as Ctrl-C through npm does', async () => {
    const server = serve();
    await server.url();
    server.child.kill('SIGINT');
    server.child.kill('SIGINT');
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    expect(server.text.match(/stopping/g)).to.have.length(1);
  });

  it('stops while a client keeps an idle connection', async () => {
    const server = serve();
    const { port } = new URL(await server.url());
    const socket = connect(Number(port), '127.0.0.1');
    socket.write('GET /api/days?from=0&to=0 HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    socket.destroy();
  });

  it('reports that the port is taken, and exits with 1 after closing the store', async () => {
    const first = processes.start('serve', '--port', '0', '--store', 'memory:');
    const { port } = new URL(await first.url());
    const second = start('serve', '--port', port);
    expect(await second.exited).to.equal(1);
    expect(second.text).to.match(new RegExp(`port ${port}: another program listens there`));
  });

  it('stops while a flood of ids comes through a pipe', async () => {
    const server = serve('--repeat-window', '0');
    await server.url();
    const flood = Array.from({ length: 50_000 }, (_, n) => `AB${String(n).padStart(8, '0')}\n`).join('');
    const pour = (): void => {
      while (server.child.stdin.write(flood));
      server.child.stdin.once('drain', pour);
    };
    pour();
    await server.says(/scan recorded/);
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
  });

  it('continues when its log is no longer read', async () => {
    const server = serve();
    const url = await server.url();
    server.child.stdout.destroy();
    const stream = await EventStream.open(url);
    for (const [n, id] of ['010203', '010204', '010205'].entries()) {
      server.child.stdin.write(`${id}\n`);
      expect(JSON.parse(await stream.data('attendance', n + 1))).to.include({ id });
    }
    stream.close();
  });

  it('stops normally when its log is no longer read', async () => {
    const server = serve();
    await server.url();
    server.child.stdout.destroy();
    server.child.kill('SIGTERM');
    expect(await server.exited).to.equal(0);
    expect(server.text).not.to.include('EPIPE');
  });
});
