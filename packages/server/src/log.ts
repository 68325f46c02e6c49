import { isTallybookError } from '@tallybook/domain';
import pino from 'pino';
import pretty from 'pino-pretty';
import type { LogLevel } from './config/settings.js';

export type Log = pino.Logger;

/**
 * The log: JSON lines, or text for people when the stream is a terminal. Neither names of holders nor, below the
 * level `debug`, ids of tags that were recorded are ever written to it.
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

/** An error as the log shows it. Pino adds what the causes say, but ours say that themselves. */
function describeError(err: unknown): unknown {
  if (!isTallybookError(err)) return pino.stdSerializers.err(err as Error);
  const { name: type, message, code, details, stack } = err;
  return { type, message, code, details, stack };
}
