import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.js';
import type { Messages } from './texts/messages.js';

/** A page, loaded when it is first gone to. */
export interface PageRoute {
  /** As wouter has it: `/person/:id`. It stands behind the `#` of the address. */
  readonly path: string;
  readonly load: () => Promise<ComponentType<Record<string, string | undefined>>>;
  /** Its name in the navigation; a page without one is reached from another page. */
  readonly label?: (texts: Messages) => string;
  readonly icon?: IconName;
  /** A page for a screen at the door, or for paper, has no navigation around it. */
  readonly isBare?: boolean;
}
