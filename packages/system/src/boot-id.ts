import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Id of this run of the monotonic clock. Linux makes an id when it starts. Its monotonic clock counts from that moment,
 * for all processes. On other systems the id is new for each process.
 *
 * @param file The file with Linux's id.
 */
export function readBootId(file = '/proc/sys/kernel/random/boot_id'): string {
  try {
    const id = readFileSync(file, 'utf8').trim();
    if (UUID.test(id)) return id;
  } catch {
    // Not Linux, or a sandbox without /proc.
  }
  return randomUUID();
}
