import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { readPassword } from '../../../src/command-line/access/read-password.js';
import type { QuestionStreams } from '../../../src/command-line/questions.js';
import { failureOf } from '../../fixtures/failure-of.js';

/** Streams for a person at a terminal or for a program, and a record of the output. */
function streamsOf({ isTTY }: { readonly isTTY: boolean }) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  const streams = { input, output } as unknown as QuestionStreams;
  return { input, streams, said: () => text(output.end()) };
}

describe('readPassword', () => {
  for (const isTTY of [false, true]) {
    it(`takes all of standard input but the end of its line, if that is wanted, ${isTTY ? 'also' : 'not only'} on a terminal`, async () => {
      for (const [sent, password] of [
        ['a b', 'a b'],
        ['ä\n', 'ä'],
        ['a\r\n', 'a'],
        ['a\nb\n\n', 'a\nb\n'],
        ['', ''],
      ] as const) {
        const { input, streams, said } = streamsOf({ isTTY });
        input.end(sent);
        expect(await readPassword('ada', true, streams)).to.equal(password);
        expect(await said()).to.equal('');
      }
    });
  }

  it('accepts at most 4,096 bytes, including the line end', async () => {
    const [most, tooLong] = ['a', 'aa'].map((more) => `${'ä'.repeat(2_047)}${more}\n`);
    for (const [sent, isTaken] of [
      [most, true],
      [tooLong, false],
    ] as const) {
      const { input, streams } = streamsOf({ isTTY: false });
      input.end(sent);
      const reading = readPassword('ada', true, streams);
      if (isTaken) expect(await reading).to.equal(sent?.trimEnd());
      else expect(await failureOf(reading, 'INVALID_OPTION')).to.include('4096 bytes');
    }
  });

  it('asks a person twice, and first names the user', async () => {
    const { input, streams } = streamsOf({ isTTY: true });
    const said: string[] = [];
    streams.output.on('data', (words: Buffer) => {
      said.push(words.toString());
      // The input follows when the command is listening.
      if (!words.toString().endsWith('\n')) process.nextTick(() => input.write('secret\r'));
    });
    expect(await readPassword('ada', false, streams)).to.equal('secret');
    expect(said).to.deep.equal(['password of ada: ', '\n', 'the same again: ', '\n']);
  });

  it('asks nobody without a terminal', async () => {
    const { streams, said } = streamsOf({ isTTY: false });
    expect(await failureOf(readPassword('ada', false, streams), 'INVALID_OPTION')).to.include(
      '--password-stdin',
    );
    expect(await said()).to.equal('');
  });
});
