import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.js';
import type { Messages } from './texts/messages.js';
import type { PathParams } from './routing/match-path.js';

export interface PageRoute {
  /** As in `/person/:id`. It stands after the `#` of the address. */
  readonly path: string;
  readonly page: ComponentType<PathParams>;
  /** Its name in the navigation; a page without one is reached from another page. */
  readonly label?: (texts: Messages) => string;
  readonly icon?: IconName;
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  /** A page for a screen at the door, or for paper, has no navigation around it. */
  readonly isBare?: boolean;
}
