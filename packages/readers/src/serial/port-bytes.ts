import { readSync } from 'node:fs';
import type { SerialPort } from 'serialport';

/** As many bytes as the kernel keeps of a line. */
const MOST_BYTES = 4_096;

/**
 * Delivers the bytes of an open port in the turn of the event loop in which they arrive. So if a timer fires and no
 * bytes were delivered, none came. `serialport` itself reads in a thread, and delivers bytes some turns later.
 *
 * It closes the port when the line has hung up. `serialport` 13 would then read for ever and use a whole processor: its
 * binding for Linux gets zero bytes each time.
 */
export function readPort(port: SerialPort, onBytes: (bytes: Uint8Array) => void): void {
  const binding = port.port;
  if (binding === undefined || !('poller' in binding)) {
    port.on('data', onBytes);
    return;
  }
  const { fd, poller } = binding;
  if (fd === null) return;
  const buffer = Buffer.alloc(MOST_BYTES);
  const onReadable = (error: Error | null): void => {
    // This is called even when the port is closed.
    if (!port.isOpen) return;
    const length = error ?? readWaiting(fd, buffer);
    if (typeof length !== 'number') {
      port.close(ignore, length);
      return;
    }
    poller.once('readable', onReadable);
    if (length > 0) onBytes(Buffer.from(buffer.subarray(0, length)));
  };
  poller.once('readable', onReadable);
}

/** The number of read bytes, 0 if none were there; or the reason why no more can come. */
function readWaiting(fd: number, buffer: Buffer): number | Error {
  try {
    const length = readSync(fd, buffer);
    return length === 0 ? new Error('the line has hung up') : length;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EAGAIN' || code === 'EINTR' ? 0 : (error as Error);
  }
}

const ignore = (): void => undefined;
