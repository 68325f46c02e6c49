import { invalidOption } from '@tallybook/devices';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { terminal, type QuestionStreams } from '../questions.js';

/** Longest input, in bytes. A password is much shorter. */
const MAX_BYTES = 4_096;

/**
 * Reads a password: all of standard input without the line end, or the input of a person at a terminal, who types it
 * twice and does not see it. The command line is not used, because everybody on the machine can read it.
 *
 * Rejects with `INVALID_OPTION` if there is no terminal, the two inputs differ, or the input is too long.
 */
export async function readPassword(
  user: string,
  isFromInput: boolean,
  streams: QuestionStreams = terminal(),
): Promise<string> {
  if (isFromInput) return readAll(streams.input);
  if (!streams.input.isTTY) {
    throw invalidOption(
      'there is no terminal to ask for the password; give it on standard input, with --password-stdin',
    );
  }
  const first = await ask(`password of ${user}: `, streams);
  const second = await ask('the same again: ', streams);
  if (first === second) return first;
  throw invalidOption('the two passwords differ; nothing was changed');
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const bytes = await buffer(input);
  if (bytes.length > MAX_BYTES) {
    throw invalidOption(`standard input has more than ${MAX_BYTES} bytes, which is no password`);
  }
  return bytes.toString('utf8').replace(/\r?\n$/, '');
}

/** Readline handles the keys for editing. Its output is dropped. */
function ask(question: string, { input, output }: QuestionStreams): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
  output.write(question);
  return new Promise<string>((resolve, reject) => {
    const give = (): void => reject(invalidOption('no password was given; nothing was changed'));
    lines.once('line', resolve).once('SIGINT', give).once('close', give);
  }).finally(() => {
    lines.close();
    output.write('\n');
  });
}
