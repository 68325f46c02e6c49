import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** Stands for data that has not been read yet. */
export function Loading(): VNode {
  return <p class="quiet page-loading">{usePage().texts.app.loading}</p>;
}
