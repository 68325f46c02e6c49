import { expect } from 'chai';
import { boundedFetch } from '../src/bounded-fetch.js';

const MOST_BYTES = 1_048_576;

/** The result of a request that gets this answer. */
function fetched(answer: Response | (() => Response), url = 'https://id.example.org/x'): Promise<Response> {
  const send = (): Promise<Response> => Promise.resolve(typeof answer === 'function' ? answer() : answer);
  return boundedFetch(send)(url, {});
}

async function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it was expected to reject'),
    (error: unknown) => error as Error,
  );
}

describe('a request to a provider, and its answer', () => {
  it('goes over https, or to this machine', async () => {
    for (const url of ['https://id.example.org', 'http://localhost:1', 'http://127.3.2.1', 'http://[::1]']) {
      expect((await fetched(() => new Response('yes'), url)).status, url).to.equal(200);
    }
    for (const url of [
      'http://id.example.org',
      'http://localhost.example.org',
      'http://127.0.0.1.example.org',
      'http://my-localhost',
      'ftp://localhost',
    ]) {
      let isAsked = false;
      const send = (): Promise<Response> => {
        isAsked = true;
        return Promise.resolve(new Response(''));
      };
      expect((await failureOf(boundedFetch(send)(url, {}))).name, url).to.equal('StrangeAnswerError');
      expect(isAsked, url).to.equal(false);
    }
  });

  it('is sent unchanged, and follows no redirect', async () => {
    const asked: unknown[] = [];
    const send = (input: unknown, init: unknown): Promise<Response> => {
      asked.push([input, init]);
      return Promise.resolve(new Response(''));
    };
    await boundedFetch(send)('https://id.example.org/x', { method: 'POST', redirect: 'follow' });
    expect(asked).to.deep.equal([['https://id.example.org/x', { method: 'POST', redirect: 'manual' }]]);
  });

  it('fails for a redirect without reading it', async () => {
    for (const status of [300, 302, 399]) {
      let isCancelled = false;
      const body = new ReadableStream({ cancel: () => void (isCancelled = true) });
      const error = await failureOf(fetched(new Response(body, { status })));
      expect(error.name).to.equal('StrangeAnswerError');
      expect(error.message).to.equal(`id.example.org redirects, with status ${status}`);
      expect(isCancelled).to.equal(true);
      expect((await failureOf(fetched(new Response(null, { status })))).name).to.equal('StrangeAnswerError');
    }
    for (const status of [204, 400, 500])
      expect((await fetched(new Response(null, { status }))).status).to.equal(status);
  });

  it('has an answer of 1 MiB at most', async () => {
    const body = new Uint8Array(MOST_BYTES).fill(0x20);
    const { length } = await (await fetched(new Response(body))).text();
    expect(length).to.equal(MOST_BYTES);
    let isCancelled = false;
    const longer = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => void (isCancelled = true),
    });
    const error = await failureOf(fetched(new Response(longer)));
    expect(error.message).to.equal('id.example.org answers with more than 1048576 bytes');
    expect(isCancelled).to.equal(true);
    const oneMore = new Uint8Array(MOST_BYTES + 1);
    expect((await failureOf(fetched(new Response(oneMore)))).name).to.equal('StrangeAnswerError');
  });

  it('keeps headers and body, without the headers about length and compression', async () => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': '99',
      'Content-Encoding': 'gzip',
    };
    const response = await fetched(new Response('{"a":1}', { headers }));
    expect(Object.fromEntries(response.headers)).to.deep.equal({ 'content-type': 'application/json' });
    expect(await response.json()).to.deep.equal({ a: 1 });
  });
});
