import { link, mkdir, open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { noteLatest, type LatestScans } from './latest-scans.js';
import type { OutboxMessage } from './outbox.js';
import type { ScanMessage } from './scan-message.js';
import { toAsciiJson } from './to-ascii-json.js';

const KIND = 'tallybook-outbox';
const VERSION = 1;
const LINE = /^([0-9a-f]{8}) (.+)$/;
/** How many messages are written at once: it bounds what a file takes of memory. */
const CHUNK = 1_000;

/** What a file says, in lines of JSON with a CRC-32 before each. */
type Line =
  | {
      readonly kind: typeof KIND;
      readonly version: typeof VERSION;
      readonly next: number;
      readonly latest: LatestScans | null;
    }
  | { readonly sequence: number; readonly body: ScanMessage }
  | { readonly gone: number };

/** What an outbox is made of. */
export interface OutboxContent {
  readonly messages: readonly OutboxMessage[];
  /** The number of the next message. */
  readonly next: number;
  readonly latest: LatestScans | undefined;
}

/** What was read from a file. */
export interface ReadContent extends OutboxContent {
  /** How many lines could not be understood, other than at the end, where a power cut tears a line. */
  readonly damagedLines: number;
}

/**
 * The file in which messages outlive the process. Messages are added to its end, and synced; that some are gone is
 * added too, not synced: the system keeps it when the process is killed, and after a power cut a few come again. The
 * file is written anew, in another one that takes its name, when most of it is gone.
 */
export class OutboxFile {
  readonly #file: FileHandle;
  #size: number;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  /** Makes the folder of outboxes, and in it that of one, unless they are there; never the folders above them. */
  static async makeFolder(folder: string): Promise<void> {
    for (const each of [dirname(folder), folder]) {
      await mkdir(each, { mode: 0o700 }).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      });
    }
  }

  /** Reads the file of a folder; one that is missing is empty. Rejects as the file system does. */
  static async read(folder: string): Promise<ReadContent> {
    return parse(await readFile(pathIn(folder), 'latin1').catch(nothingIfMissing));
  }

  /**
   * Gives the file a second name, in the place of the one that was put aside before. The first one stays until
   * {@link create} takes it, so what can be read of the file is never lost. Rejects as the file system does.
   */
  static async putAside(folder: string): Promise<string> {
    const aside = join(folder, 'outbox.damaged');
    await rm(aside, { force: true });
    await link(pathIn(folder), aside);
    return aside;
  }

  /** Writes a file with this content in the place of the one that is there. Rejects as the file system does. */
  static async create(folder: string, { messages, next, latest }: OutboxContent): Promise<OutboxFile> {
    const path = pathIn(folder);
    const temporary = `${path}.new`;
    const handle = await open(temporary, 'w', 0o600);
    const file = new OutboxFile(handle, 0);
    try {
      await file.#write([format({ kind: KIND, version: VERSION, next, latest: latest ?? null })]);
      for (let start = 0; start < messages.length; start += CHUNK) {
        await file.#write(messages.slice(start, start + CHUNK).map(formatMessage));
      }
      await handle.datasync();
      await rename(temporary, path);
      await syncFolder(folder);
      return file;
    } catch (error) {
      await file.close();
      // It may be what fills the disk.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  /** Its length in bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Adds messages, durably, and that all up to one are gone. Rejects as the file system does; then do not use it again,
   * because it is not known what is in it.
   */
  async append(messages: readonly OutboxMessage[], gone: number): Promise<void> {
    await this.#write([...messages.map(formatMessage), format({ gone })]);
    if (messages.length > 0) await this.#file.datasync();
  }

  async close(): Promise<void> {
    // Closing a file that fails to close leaves nothing behind: what matters was synced.
    await this.#file.close().catch(() => undefined);
  }

  async #write(lines: readonly string[]): Promise<void> {
    const text = lines.join('');
    await this.#file.appendFile(text, 'latin1');
    this.#size += text.length;
  }
}

function parse(text: string): ReadContent {
  const lines = text.split('\n').map(parseLine);
  const soundLines = lines.findLastIndex((line) => line !== undefined) + 1;
  const messages: OutboxMessage[] = [];
  let latest: LatestScans | undefined;
  let next = 1;
  let gone = 0;
  for (const line of lines) {
    if (line === undefined) continue;
    if ('kind' in line) {
      next = line.next;
      latest = line.latest ?? undefined;
    } else if ('gone' in line) {
      gone = line.gone;
    } else {
      const { sequence, body } = line;
      messages.push({ sequence, text: toAsciiJson(body), tappedMs: undefined });
      latest = noteLatest(latest, body);
      next = sequence + 1;
    }
  }
  const torn = lines.slice(0, soundLines).filter((line) => line === undefined).length;
  return {
    messages: messages.filter(({ sequence }) => sequence > gone),
    next,
    latest,
    // A file gets its name when its first line is durable, so one without any line is damaged too.
    damagedLines: soundLines === 0 && text !== '' ? lines.length : torn,
  };
}

function parseLine(text: string): Line | undefined {
  const [, checksum = '', json = ''] = LINE.exec(text) ?? [];
  if (checksum === '' || parseInt(checksum, 16) !== crc32(json)) return undefined;
  const line = JSON.parse(json) as Line;
  // What another version writes is not understood.
  const { kind = KIND, version = VERSION } = line as { readonly kind?: unknown; readonly version?: unknown };
  return kind === KIND && version === VERSION ? line : undefined;
}

function format(line: Line): string {
  return formatJson(toAsciiJson(line));
}

function formatMessage({ sequence, text }: OutboxMessage): string {
  return formatJson(`{"sequence":${sequence},"body":${text}}`);
}

function formatJson(json: string): string {
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

function pathIn(folder: string): string {
  return join(folder, 'outbox.jsonl');
}

function nothingIfMissing(error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
  throw error;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
