// A part of a run: a command, whose output is shown when it has ended, so that those that run side by side can be read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Running steps, with their output. Each leads a process group of its own, which is ended as a whole when the run ends early. */
const running = new Map();
process.once('exit', () => {
  for (const [{ pid }, { name, pieces }] of running) {
    console.log(`\n== ${name}: ended early\n${textOf(pieces)}`);
    if (pid !== undefined) process.kill(-pid, 'SIGTERM');
  }
});

/** Runs a step. Resolves with what it printed, how long it took, and whether it did what it should. */
export async function runStep({ name, command, variables = {} }) {
  const begin = performance.now();
  console.log(`-- begins: ${name}`);
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, NO_COLOR: '1', ...variables },
  });
  const pieces = [];
  running.set(child, { name, pieces });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  const failed = new Promise((resolve) => {
    child.once('error', ({ message }) => {
      pieces.push(Buffer.from(`${program} could not be started: ${message}\n`));
      resolve([1]);
    });
  });
  const [code] = await Promise.race([once(child, 'close').catch(() => failed), failed]);
  running.delete(child);
  const output = textOf(pieces);
  const seconds = Math.round((performance.now() - begin) / 1_000);
  console.log(`\n== ${name}: ${code === 0 ? 'done' : 'FAILED'} in ${seconds} s\n${output}\n`);
  return { name, output, seconds, isDone: code === 0 };
}

/** Runs steps, so many side by side, in the order in which they come. */
export class Lanes {
  #free;
  #waiting = [];

  /** @param {number} count */
  constructor(count) {
    this.#free = count;
  }

  /**
   * Resolves with what came of these steps, in their order, when all of them have ended. Steps that are given meanwhile take
   * the lanes that these leave free.
   *
   * @param {{ isNext?: boolean }} options Whether they come before those that wait already.
   */
  run(steps, { isNext = false } = {}) {
    const places = [];
    const ended = steps.map((step) => new Promise((resolve) => places.push({ step, resolve })));
    this.#waiting = isNext ? [...places, ...this.#waiting] : [...this.#waiting, ...places];
    this.#begin();
    return Promise.all(ended);
  }

  #begin() {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const { step, resolve } = this.#waiting.shift();
      this.#free--;
      runStep(step).then((result) => {
        this.#free++;
        resolve(result);
        this.#begin();
      });
    }
  }
}

/** How many lines say why a step has failed, and how long each may be. */
const TOLD_LINES = 8;
const TOLD_LENGTH = 300;

/**
 * The first lines of what a step printed that say what has failed: a part of the proofs, a test, an error, or that something
 * took too long.
 *
 * @param {string} output
 * @returns {string[]}
 */
export function findFailures(output) {
  const lines = output
    .split('\n')
    .filter((line) => /\bFAILED\b|^\s+\d+\) |\b[A-Za-z]*Error\b|\bexceeded\b/.test(line));
  return lines.slice(0, TOLD_LINES).map((line) => line.trim().slice(0, TOLD_LENGTH));
}

function textOf(pieces) {
  return Buffer.concat(pieces).toString().trimEnd();
}
