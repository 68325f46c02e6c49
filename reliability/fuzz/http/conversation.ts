import { connect, type Socket } from 'node:net';
import { parseAnswers } from './http-answers.js';
import type { Script } from '../script.js';

/** The result of a script. */
export interface Conversation {
  readonly received: Buffer;
  /** Milliseconds from connecting to the end. */
  readonly tookMs: number;
  /** `hung`: the server neither closed nor went on; `unreachable`: there was no connection at all. */
  readonly end: 'closed' | 'reset' | 'hung' | 'unreachable';
  /** Whether the client ended its side before it had heard anything: it may not be sent all of a large answer then. */
  readonly isImpatient: boolean;
}

/** The server is believed to wait for more after so many milliseconds of silence; then the rest never comes. */
const SILENCE_MS = 150;
/** So many silences in the middle of an answer are only slow: whoever ends a connection then is not sent the rest. */
const SLOW_SILENCES = 10;
/** A server that answers neither a request nor the end of a connection within this time has forgotten it. */
const PATIENCE_MS = 10_000;

/** Plays a script on a connection of its own. Never rejects. */
export function converse(port: number, { pieces, end, answers }: Script): Promise<Conversation> {
  return new Promise((resolve) => {
    const begin = performance.now();
    const received: Buffer[] = [];
    let outcome: Conversation['end'] = 'closed';
    let isConnected = false;
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
    const patience = setTimeout(() => {
      outcome = 'hung';
      socket.destroy();
    }, PATIENCE_MS);
    let slow = 0;
    let isImpatient = false;
    const onSilence = (): void => {
      // Silences after that are only those of a server that was told that nothing more comes.
      if (socket.writableEnded) return;
      isImpatient = received.length === 0;
      const isSlow = slow++ < SLOW_SILENCES && parseAnswers(Buffer.concat(received)).isCut;
      if (isSlow) silence?.refresh();
      else socket.end();
    };
    // With a known number of answers there is no need to guess their end from silence.
    const silence = answers === undefined ? setTimeout(onSilence, SILENCE_MS) : undefined;

    socket
      .on('connect', () => {
        isConnected = true;
        send(socket, pieces, () => {
          if (end === 'close') socket.end();
          if (end === 'reset') socket.resetAndDestroy();
          silence?.refresh();
        });
      })
      .on('data', (chunk: Buffer) => {
        received.push(chunk);
        silence?.refresh();
        if (end === 'leave') socket.destroy();
      })
      .on('end', () => socket.end())
      .on('error', () => {
        outcome = isConnected ? 'reset' : 'unreachable';
      })
      .on('close', () => {
        clearTimeout(patience);
        clearTimeout(silence);
        const tookMs = performance.now() - begin;
        resolve({ received: Buffer.concat(received), tookMs, end: outcome, isImpatient });
      });
  });
}

/** Writes piece after piece, each when the one before has left. What a server refuses meanwhile shows as an error. */
function send(socket: Socket, pieces: readonly Buffer[], done: () => void): void {
  const [piece, ...others] = pieces;
  if (piece === undefined) {
    done();
  } else if (socket.writable) {
    socket.write(piece, (error) => {
      if (!error) send(socket, others, done);
    });
  }
}
