import type { ComponentType } from 'preact';
import type { IconName } from './parts/icon.js';
import type { Messages } from './texts/messages.js';
import type { PathParams } from './routing/match-path.js';

export interface PageRoute {
  /** Pattern such as `/person/:id`, for the part of the address after `#`. */
  readonly path: string;
  readonly page: ComponentType<PathParams>;
  /** Name in the navigation; a page without a label is reached from another page. */
  readonly label?: (texts: Messages) => string;
  readonly icon?: IconName;
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  /** Whether the page has no navigation, as on a screen at the door or on paper. */
  readonly isBare?: boolean;
}
