import type { ComponentType } from 'preact';
import type { PathParams } from './routing/match-path.js';

export interface PageRoute {
  /** Pattern such as `/person/:id`, for the part of the address after `#`. */
  readonly path: string;
  readonly page: ComponentType<PathParams>;
  /** Its icon in the navigation, and the texts with its title; a page without an entry is reached from another page. */
  readonly entry?: 'today' | 'muster' | 'names' | 'days' | 'care';
  /** The action that it needs, such as `see-record`. */
  readonly needs: string;
  /** Whether the page has no navigation, as on a screen at the door or on paper. */
  readonly isBare?: boolean;
}
