import { createInterface } from 'node:readline';

/** Streams for a question: standard input, and standard error for the question. */
export interface QuestionStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
}

const terminal = (): QuestionStreams => ({ input: process.stdin, output: process.stderr });

/** Asks a person at a terminal. Resolves with `true` if the answer is yes. */
export async function confirms(question: string, streams: QuestionStreams = terminal()): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await ask(`${question} [y/N] `, streams));
}

/** Asks a person at a terminal for one of several choices. Resolves with its index; `undefined` for another answer. */
export async function chooses(
  question: string,
  count: number,
  streams: QuestionStreams = terminal(),
): Promise<number | undefined> {
  const index = Number(await ask(`${question} [1-${count}] `, streams)) - 1;
  return Number.isInteger(index) && index >= 0 && index < count ? index : undefined;
}

function ask(question: string, streams: QuestionStreams): Promise<string> {
  const lines = createInterface({ ...streams, historySize: 0 });
  return new Promise<string>((resolve) => {
    lines.question(question, resolve);
    // Closed by Ctrl+C or Ctrl+D.
    lines.once('close', () => resolve(''));
  }).finally(() => lines.close());
}
