import { expect } from 'chai';
import { OversizeError, readLines, readText } from '../src/read-bounded.js';

/** An answer in these pieces, and whether it was cancelled before its end. */
function answerOf(...pieces: readonly (string | Uint8Array)[]): {
  readonly response: Response;
  readonly isCancelled: () => boolean;
} {
  const left = [...pieces];
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(Uint8Array.from(Buffer.from(piece)));
      },
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  );
  return { response: new Response(body), isCancelled: () => isCancelled };
}

async function linesOf(response: Response, maxLength: number): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of readLines(response, maxLength)) lines.push(line);
  return lines;
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.fail('it was expected to reject'),
    (error: unknown) => error,
  );
}

const euro = Buffer.from('€');

describe('reading an answer as a whole', () => {
  it('takes as many bytes as it may have, and not one more, which ends it', async () => {
    expect(await readText(answerOf('abc', 'de').response, 5)).to.equal('abcde');
    const { response, isCancelled } = answerOf('abc', 'def', 'ghi');
    expect(await rejection(readText(response, 5))).to.be.instanceOf(OversizeError);
    expect(isCancelled()).to.equal(true);
  });

  it('puts characters together that come in pieces', async () => {
    const { response } = answerOf(euro.subarray(0, 1), euro.subarray(1));
    expect(await readText(response, 3)).to.equal('€');
  });

  it('rejects for what is not UTF-8, also at its end', async () => {
    for (const bytes of [Buffer.of(0xff), euro.subarray(0, 2)]) {
      expect(await rejection(readText(answerOf(bytes).response, 10))).to.be.instanceOf(TypeError);
    }
  });

  it('is empty without a body', async () => {
    expect(await readText(new Response(null, { status: 204 }), 1)).to.equal('');
  });
});

describe('reading an answer line by line', () => {
  it('gives each line as soon as it is whole, and the last one without its end', async () => {
    const { response } = answerOf('a\nb', 'c\n', '\nd');
    expect(await linesOf(response, 10)).to.deep.equal(['a', 'bc', '', 'd']);
    expect(await linesOf(answerOf('a\n').response, 10)).to.deep.equal(['a']);
  });

  it('gives lines that come byte by byte', async () => {
    const { response } = answerOf('a', 'b', '\n', '\n', 'c', 'd', '\n', 'e');
    expect(await linesOf(response, 10)).to.deep.equal(['ab', '', 'cd', 'e']);
  });

  it('takes a line as long as it may be, and none that is longer, which ends it', async () => {
    expect(await linesOf(answerOf('ab', 'cde', '\n').response, 5)).to.deep.equal(['abcde']);
    const { response, isCancelled } = answerOf('ab', 'cdef', 'g\n');
    expect(await rejection(linesOf(response, 5))).to.be.instanceOf(OversizeError);
    expect(isCancelled()).to.equal(true);
  });

  it('puts characters together that come in pieces, and rejects for half of one', async () => {
    const { response } = answerOf(euro.subarray(0, 1), euro.subarray(1));
    expect(await linesOf(response, 10)).to.deep.equal(['€']);
    expect(await rejection(linesOf(answerOf(euro.subarray(0, 2)).response, 10))).to.be.instanceOf(TypeError);
  });

  it('ends the answer when whoever reads it stops', async () => {
    const { response, isCancelled } = answerOf('a\n', 'b\n');
    for await (const line of readLines(response, 10)) {
      expect(line).to.equal('a');
      break;
    }
    expect(isCancelled()).to.equal(true);
  });
});
