import { text } from 'node:stream/consumers';
import { parseTallyId } from '@tallybook/domain';
import { owner } from '@tallybook/domain/access';
import { expect } from 'chai';
import { claimedService, createToken, tokenOf } from '../../fixtures/claimed-service.js';
import { RunningService, useService } from '../../fixtures/running-service.js';

const HEAD = '{"kind":"tallybook","version":1}';
const ADA = '{"kind":"name","id":"04A2B3C4D5","first":"Ada","last":"Lovelace"}';

describe('POST /api/restore', () => {
  const service = useService();

  const send = (text: string, headers: Record<string, string> = {}): ReturnType<RunningService['post']> =>
    service.post(
      text,
      { 'Content-Type': 'application/jsonl', Accept: 'application/json', ...headers },
      '/api/restore',
    );

  it('takes what GET /api/export gives, and says how many records it has', async () => {
    await service.post({ id: '04A2B3C4D5', name: { first: 'Ada', last: 'Lovelace' } });
    await service.tap('04A2B3C4D5');
    const { text: backup } = await service.request('/api/export');
    await using other = await RunningService.start();
    const headers = { 'Content-Type': 'application/jsonl' };
    const { status, text } = await other.post(backup, headers, '/api/restore');
    expect([status, JSON.parse(text)]).to.deep.equal([
      200,
      { persons: 0, names: 1, entries: 1, corrections: 0, provisional: 0, refused: 0, isChanged: true },
    ]);
    const again = await other.request('/api/restore', { method: 'POST', headers, body: backup });
    expect(JSON.parse(again.text)).to.include({ names: 1, entries: 1, isChanged: false });
    expect((await other.request('/api/day?day=20413')).text).to.equal(
      (await service.request('/api/day?day=20413')).text,
    );
    const [entry] = await other.audit.read(0, 10);
    expect(entry).to.deep.include({ action: 'imported' });
    expect(entry?.details).to.include({ names: 1, entries: 1 });
  });

  it('names the wrong line, and changes nothing', async () => {
    const { status, text } = await send(`${HEAD}\n${ADA}\n{"kind":"name"}\n`);
    expect(status).to.equal(422);
    const problem = JSON.parse(text) as { code: string; detail: string };
    expect(problem.code).to.equal('INVALID_BACKUP');
    expect(problem.detail).to.match(/line 3/);
    expect(await service.json('/api/mapping')).to.deep.equal({});
  });

  it('refuses an empty body, another file, another type and a compressed one', async () => {
    expect((await send('')).status).to.equal(422);
    expect((await send('id,first,last\n')).status).to.equal(422);
    expect((await send(HEAD, { 'Content-Type': 'multipart/form-data' })).status).to.equal(415);
    expect((await send(HEAD, { 'Content-Encoding': 'gzip' })).status).to.equal(415);
  });

  it('takes one at a time, and another one after a client that disconnects in the middle', async () => {
    const socket = service.connect();
    socket.write(
      'POST /api/restore HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/jsonl\r\nContent-Length: 100000\r\n\r\n',
    );
    socket.write(`${HEAD}\n`);
    const backup = `${HEAD}\n${ADA}\n`;
    let answer = await send(backup);
    while (answer.status !== 503) answer = await send(backup);
    expect(answer.headers.get('retry-after')).to.equal('30');
    socket.destroy();
    do answer = await send(backup);
    while (answer.status === 503);
    expect(answer.status).to.equal(200);
    expect(service.reports).to.deep.equal([]);
  });

  it('writes nothing for somebody who has lost the right while the body arrived', async () => {
    await using claimed = await claimedService();
    const { token, id } = await createToken(claimed, 'admin');
    const body = `${HEAD}\n${ADA}\n`;
    const socket = claimed.connect();
    const answer = text(socket);
    socket.write(
      `POST /api/restore HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n` +
        `Content-Type: application/jsonl\r\nContent-Length: ${body.length}\r\n\r\n${HEAD}`,
    );
    const headers = { 'Content-Type': 'application/jsonl', ...(await tokenOf(claimed, 'admin', 'other')) };
    const isTaken = async (): Promise<boolean> =>
      (await claimed.post('', headers, '/api/restore')).status === 503;
    while (!(await isTaken()));
    await claimed.access.credentials.revoke(owner, id);
    socket.write(body.slice(HEAD.length));
    expect(await answer).to.match(/^HTTP\/1\.1 401 /);
    expect(await claimed.mapping.get(parseTallyId('04A2B3C4D5'))).to.equal(undefined);
  });
});
