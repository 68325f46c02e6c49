import { TallybookClientError } from '../tallybook-client-error.js';

/**
 * Requires an answer to have a media type.
 *
 * @throws {TallybookClientError} `invalid-answer` if it has another one: another program answered.
 */
export function requireType(response: Response, expected: string): void {
  const type = response.headers.get('Content-Type') ?? '';
  if (type.split(';')[0] !== expected) throw invalidAnswer(response, `${type || 'nothing'}, not ${expected}`);
}

/** {@link readJson} for answers of which the type is known. */
export type ReadJson<T> = (response: Response) => Promise<T>;

/** The JSON of an answer. */
export async function readJson(response: Response): Promise<unknown> {
  requireType(response, 'application/json');
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidAnswer(response, 'what is no JSON', cause);
  }
}

/**
 * Reads an answer that must be empty. An answer with a body comes from another program than Tallybook, so no data was changed.
 */
export async function readNothing(response: Response): Promise<void> {
  if ((await response.text()) !== '') throw invalidAnswer(response, 'a page, not an empty answer');
}

export function invalidAnswer({ status }: Response, got: string, cause?: unknown): TallybookClientError {
  return new TallybookClientError('invalid-answer', `this is not Tallybook: it sent ${got}`, {
    status,
    cause,
  });
}
