import { isTallybookError, TallybookError } from '@tallybook/domain';

/**
 * Parses one field of a request, at once or later as `parse` does, and names the field in errors.
 *
 * @throws {TallybookError} The error of `parse`, with the name in the message and in `details.field`.
 */
export function parseField<T>(name: string, value: unknown, parse: (value: unknown) => T): T {
  const fail = (error: unknown): never => {
    if (!isTallybookError(error)) throw error;
    throw new TallybookError(error.code, `${name}: ${error.message}`, {
      cause: error,
      details: { ...error.details, field: name },
    });
  };
  try {
    const parsed = parse(value);
    // An id may need the stores to be read.
    return parsed instanceof Promise ? (parsed.catch(fail) as T) : parsed;
  } catch (error) {
    return fail(error);
  }
}
