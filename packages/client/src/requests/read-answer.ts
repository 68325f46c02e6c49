import { TallybookClientError } from '../tallybook-client-error.js';

/** The JSON of an answer. */
export async function readJson(response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  const text = await response.text();
  if (!/^application\/json\b/.test(type))
    throw invalidAnswer(response, `${type || 'nothing'} in the place of JSON`);
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw invalidAnswer(response, 'what is no JSON', cause);
  }
}

/** Takes note of an answer that has to be empty: one that is not comes from something else, which changed nothing. */
export async function readNothing(response: Response): Promise<void> {
  if ((await response.text()) !== '') throw invalidAnswer(response, 'a page in the place of an empty answer');
}

export function invalidAnswer({ status }: Response, got: string, cause?: unknown): TallybookClientError {
  return new TallybookClientError('invalid-answer', `this is not Tallybook: it sent ${got}`, {
    status,
    cause,
  });
}
