import { loadOptional } from '@tallybook/devices';
import type { SerialPort } from 'serialport';

/** Loads `serialport` and its native part. Rejects with `INVALID_OPTION` if they cannot be loaded. */
export async function loadSerialPort(
  load: () => Promise<{ readonly SerialPort: typeof SerialPort }> = () => import('serialport'),
): Promise<typeof SerialPort> {
  return (await loadOptional('a serial reader', 'serialport@13', load)).SerialPort;
}
