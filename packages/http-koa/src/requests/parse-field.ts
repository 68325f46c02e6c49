import { isTallybookError, TallybookError } from '@tallybook/domain';

/**
 * Parses one field of a request, and names the field in errors.
 *
 * @throws {TallybookError} The error of `parse`, with the name in the message and in `details.field`.
 */
export function parseField<T>(name: string, value: unknown, parse: (value: unknown) => T): T {
  try {
    return parse(value);
  } catch (error) {
    if (!isTallybookError(error)) throw error;
    throw new TallybookError(error.code, `${name}: ${error.message}`, {
      cause: error,
      details: { ...error.details, field: name },
    });
  }
}
