import { TallybookClientError } from '../tallybook-client-error.js';

/** The error that callers get for a failed request. */
export function failureOf(error: unknown, signal: AbortSignal | undefined): TallybookClientError {
  if (signal?.aborted === true) return new TallybookClientError('aborted', 'aborted', { cause: error });
  if (error instanceof TallybookClientError) return error;
  return new TallybookClientError('network', 'the service cannot be reached', { cause: error });
}
