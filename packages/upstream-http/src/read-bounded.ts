/** An answer is longer than any answer of a centre. */
export class OversizeError extends Error {
  override readonly name = 'OversizeError';
}

/** Reads an answer as text. Rejects with an {@link OversizeError} if it has more than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of piecesOf(response)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new OversizeError(`more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}

/**
 * Reads an answer line by line. Rejects with an {@link OversizeError} if a line has more than `maxLength` characters.
 */
export async function* readLines(
  response: Response,
  maxLength: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  for await (const piece of piecesOf(response)) {
    // Only the new piece is searched for line ends: a line may come byte by byte.
    const [first = '', ...others] = decoder.decode(piece, { stream: true }).split('\n');
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLength) throw new OversizeError(`a line of more than ${maxLength} characters`);
  }
  rest += decoder.decode();
  if (rest !== '') yield rest;
}

/** Yields the pieces of an answer. Closes the answer if the caller stops before its end. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
