import { execFileSync } from 'node:child_process';
import { constants, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { Emitter, type Subscribable } from '@tallybook/domain';
import { PATIENCE_MS } from '@tallybook/testing';

/**
 * A program that stands in for `gpioset`. It is found before the real one, takes the same arguments, holds lines in the
 * same way, and fails in the same way, also if another process holds the line.
 */
export class GpiosetStandIn {
  /** Finished actions, such as `hold 22=1` or `off 22=0 23=0`. */
  readonly done: Subscribable<string>;
  readonly #done = new Emitter<string>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'tallybook-gpioset-'));
  readonly #searched = process.env['PATH'];
  readonly #events: Socket;

  /** @param version Version of libgpiod, such as `1.6.3`. */
  constructor(version: string) {
    this.done = this.#done;
    execFileSync('mkfifo', [this.#file('events')]);
    // Open for reading and writing, so that it does not end with the last writer.
    const fd = openSync(this.#file('events'), constants.O_RDWR | constants.O_NONBLOCK);
    this.#events = new Socket({ fd, readable: true, writable: false });
    createInterface({ input: this.#events }).on('line', (line) => this.#done.emit(line));
    writeFileSync(this.#file('gpioset'), version.startsWith('1.') ? script1(version) : script2(version), {
      mode: 0o755,
    });
    process.env['PATH'] = `${this.#folder}:${this.#searched ?? ''}`;
  }

  /** Arguments of each call, except calls for the version. */
  get calls(): readonly string[] {
    return existsSync(this.#file('calls'))
      ? readFileSync(this.#file('calls'), 'utf8').trimEnd().split('\n')
      : [];
  }

  /** Whether a process holds the line. */
  isHeld(line: number): boolean {
    return existsSync(`/proc/${this.#holder(line)}`);
  }

  /** Resolves when no process holds one of the lines. Rejects when it takes too long. */
  async released(...lines: readonly number[]): Promise<void> {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    while (lines.some((line) => this.isHeld(line))) await pause(5, undefined, { signal });
  }

  /** Ends the process that holds the line. */
  kill(line: number): void {
    process.kill(this.#holder(line), 'SIGKILL');
  }

  /** From now on new calls fail. Running processes still hold their lines. */
  refuse(text: string): void {
    writeFileSync(this.#file('refusal'), `${text}\n`);
  }

  /** Works again. */
  accept(): void {
    rmSync(this.#file('refusal'));
  }

  dispose(): void {
    process.env['PATH'] = this.#searched;
    this.#events.destroy();
    rmSync(this.#folder, { recursive: true });
  }

  #holder(line: number): number {
    return Number(readFileSync(this.#file(`holder-${line}`), 'utf8'));
  }

  #file(name: string): string {
    return join(this.#folder, name);
  }
}

const script1 = (version: string): string => `#!/bin/sh
  ${beginning(version)}
  case $1 in
    --mode=exit) shift 2; answer "off $*" ;;
    --mode=wait) shift 2; hold "$1"; exec cat > /dev/null ;;
    *) echo 'gpioset: unexpected arguments' >&2; exit 1 ;;
  esac`;

const script2 = (version: string): string => `#!/bin/sh
  ${beginning(version)}
  case "$*" in
    '--toggle 0 --consumer tallybook --chip '*) shift 6; answer "off $*" ;;
    '--consumer tallybook --chip '*) shift 4; hold "$1"; exec sleep 600 ;;
    *) echo 'gpioset: unexpected arguments' >&2; exit 1 ;;
  esac`;

const beginning = (version: string): string => `
  folder=\${0%/*}
  if [ "$*" = --version ]; then echo 'gpioset (libgpiod) v${version}'; exit; fi
  echo "$*" >> "$folder/calls"
  if refusal=$(cat "$folder/refusal" 2> /dev/null); then printf '%s\\n' "$refusal" >&2; exit 1; fi
  take() {
    holder=$(cat "$folder/holder-$1" 2> /dev/null)
    if [ -n "$holder" ] && [ -e "/proc/$holder" ]; then
      echo 'gpioset: error setting the GPIO line values: Device or resource busy' >&2
      exit 1
    fi
  }
  answer() {
    for setting in \${1#off }; do take "\${setting%=*}"; done
    echo "$1" > "$folder/events"
    exit 0
  }
  hold() {
    take "\${1%=*}"
    echo $$ > "$folder/holder-\${1%=*}"
    echo "hold $1" > "$folder/events"
  }`;
