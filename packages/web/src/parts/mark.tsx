import type { VNode } from 'preact';

/** The logo: four strokes and one across, as in tallying on paper. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M8 7v18M13 7v18M18 7v18M23 7v18M4.5 21.5l23-11" />
    </svg>
  );
}
