import { connect, type Socket } from 'node:net';
import { parseAnswers } from './http-answers.js';
import type { Script } from '../script.js';

/** The result of a script. */
export interface Conversation {
  readonly received: Buffer;
  /** Milliseconds from connecting to the end. */
  readonly tookMs: number;
  /** `hung`: the server neither closed nor continued; `unreachable`: there was no connection. */
  readonly end: 'closed' | 'reset' | 'hung' | 'unreachable';
  /** Whether the client ended its side before any answer came: then the server need not send all of a large answer. */
  readonly isImpatient: boolean;
}

/** Milliseconds of silence after which the server is taken to wait for more input, which never comes. */
const SILENCE_MS = 150;
/**
 * Silences in the middle of an answer that count as a slow answer: a client that ended the connection would not get
 * the rest.
 */
const SLOW_SILENCES = 10;
/**
 * If the server reacts neither to a request nor to the end of a connection within this time, it has forgotten the
 * connection.
 */
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
      // The server knows that no more input comes, so later silences mean nothing.
      if (socket.writableEnded) return;
      isImpatient = received.length === 0;
      const isSlow = slow++ < SLOW_SILENCES && parseAnswers(Buffer.concat(received)).isCut;
      if (isSlow) silence?.refresh();
      else socket.end();
    };
    // If the number of answers is known, their end need not be guessed from silence.
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

/**
 * Writes one piece after another, each when the one before was sent. If the server refuses meanwhile, the socket has
 * an error.
 */
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
