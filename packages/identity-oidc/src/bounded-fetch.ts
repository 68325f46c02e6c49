import { isSafe } from './provider-url.js';

/** Largest answer, in bytes. Metadata and keys of a large provider have a tenth of this. */
const ANSWER_BYTES = 1_048_576;

/** An answer that no correct provider gives. */
class StrangeAnswerError extends Error {
  override readonly name = 'StrangeAnswerError';
}

/**
 * A `fetch` for a provider. The metadata of the provider name the other addresses. It follows no redirect, uses plain http
 * only to this machine, and reads at most 1 MiB of an answer.
 */
export function boundedFetch(send: typeof fetch): (url: string, init: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const target = new URL(url);
    if (!isSafe(target))
      throw new StrangeAnswerError(`the provider names an address that is not https: ${target.host}`);
    const response = await send(url, { ...init, redirect: 'manual' });
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      throw new StrangeAnswerError(`${target.host} redirects, with status ${status}`);
    }
    const body = await readBytes(response, target.host);
    return new Response(status === 204 ? null : body, { status, headers: plain(headers) });
  };
}

async function readBytes({ body }: Response, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    // Leaving the loop closes the answer.
    if (length > ANSWER_BYTES)
      throw new StrangeAnswerError(`${host} answers with more than ${ANSWER_BYTES} bytes`);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}

/** The headers without those that describe the encoding of the sent bytes. */
function plain(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete('content-encoding');
  kept.delete('content-length');
  return kept;
}
