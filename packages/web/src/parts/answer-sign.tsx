import type { VNode } from 'preact';

/** The answer to a tap, on the light at the reader and on the screen. */
export type Answer = 'welcome' | 'again' | 'unknown' | 'waiting' | 'refused';

/** The answer as a shape, beside its colour. */
export function AnswerSign({ answer }: { readonly answer: Answer | 'idle' }): VNode {
  return (
    <svg class="kiosk-sign" viewBox="0 0 24 24" aria-hidden="true">
      <path d={signs[answer]} />
    </svg>
  );
}

const signs: Readonly<Record<Answer | 'idle', string>> = {
  idle: 'M5 9a4.5 4.5 0 0 1 0 6M9 6.5a8.5 8.5 0 0 1 0 11M13 4a13 13 0 0 1 0 16M17 1.5a17 17 0 0 1 0 21',
  welcome: 'M4 12.5l5.5 5.5L20 7',
  again: 'M1.5 12.5l5 5.5L15 8M11.5 17l1 1L22.5 8',
  unknown: 'M7.5 8.5a4.5 4.5 0 1 1 6.5 4c-1.5.8-2 1.5-2 3M12 20h.01',
  waiting: 'M12 6v6.5l4 2.5M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18',
  refused: 'M5 5l14 14M19 5 5 19',
};
