import { loadOptional } from '@tallybook/devices';
import type { Pcsc } from './pcsc-api.js';

const WHAT = 'a PC/SC reader, besides pcscd of the system ("sudo apt install pcscd"),';

/**
 * Loads `pcsc-mini` and its native part. Rejects with `INVALID_OPTION` if one of them, or the library of pcscd, is
 * missing.
 */
export function loadPcsc(load: () => Promise<Pcsc> = () => import('pcsc-mini')): Promise<Pcsc> {
  return loadOptional(WHAT, 'pcsc-mini@0.1', load);
}
