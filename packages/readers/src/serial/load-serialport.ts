import { TallybookError } from '@tallybook/domain';
import type { SerialPort } from 'serialport';

/**
 * Loads `serialport` and its native part when the first serial line is opened, so that a device without one runs
 * where they are not installed or not built.
 *
 * Rejects with `INVALID_OPTION` if they cannot be loaded.
 */
export async function loadSerialPort(
  load: () => Promise<{ readonly SerialPort: typeof SerialPort }> = () => import('serialport'),
): Promise<typeof SerialPort> {
  try {
    return (await load()).SerialPort;
  } catch (cause) {
    throw new TallybookError(
      'INVALID_OPTION',
      'a serial reader needs the package serialport, which cannot be loaded; install it for this machine with "npm install serialport@13", or remove the reader',
      { cause },
    );
  }
}
