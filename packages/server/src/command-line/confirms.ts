import { createInterface } from 'node:readline';

/** Streams for a question: standard input, and standard error for the question. */
export interface QuestionStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks a person at a terminal. Resolves with `true` if the answer is yes. */
export function confirms(
  question: string,
  streams: QuestionStreams = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  const lines = createInterface({ ...streams, historySize: 0 });
  return new Promise<boolean>((resolve) => {
    lines.question(`${question} [y/N] `, (answer) => resolve(/^\s*y(?:es)?\s*$/i.test(answer)));
    // Closed by Ctrl+C or Ctrl+D.
    lines.once('close', () => resolve(false));
  }).finally(() => lines.close());
}
