import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** Placeholder for data that is being read. */
export function Loading(): VNode {
  return <p class="quiet page-loading">{usePage().texts.app.loading}</p>;
}
