import { isTallybookError } from '@tallybook/domain';
import pino from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from '../config/settings.js';

export type Log = pino.Logger;

/**
 * The log: JSON lines, or text for people if the stream is a terminal. Names of holders are never logged. Ids of
 * recorded tags are logged only at the levels `debug` and `trace`.
 */
export function createLog(level: LogLevel, stream: NodeJS.WriteStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  if (!stream.isTTY) return pino(options, stream);
  return pino(
    options,
    pretty({ destination: stream, translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: true }),
  );
}

/**
 * An error in the form of the log. Pino would add the messages of the causes, but our messages contain them already.
 */
function describeError(err: unknown): unknown {
  if (!isTallybookError(err)) return pino.stdSerializers.err(err as Error);
  const { name: type, message, code, details, stack } = err;
  return { type, message, code, details, stack };
}
