import type { Registration } from '@tallybook/devices';
import { indicators, publishers } from '@tallybook/outputs';
import { readers } from '@tallybook/readers';

/** The adapters that the program brings along. A new one is one more entry; nothing else in the server names one. */
export const ownAdapters: readonly Registration[] = [...readers, ...indicators, ...publishers];
