import type { VNode } from 'preact';

/** Paths of SVG on a field of 24 x 24, drawn as lines in the colour of the text. */
const shapes = {
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  today:
    'M16 20v-1.5a3.5 3.5 0 0 0-3.5-3.5h-5A3.5 3.5 0 0 0 4 18.5V20M10 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M16 11.5l2 2 3.5-4',
  muster: 'M9 6h11M9 12h11M9 18h11M3.5 6l1 1L6.5 5M3.5 12l1 1 2-2M3.5 18l1 1 2-2',
  kiosk: 'M4 4.5h16v11H4zM9 20h6M12 15.5V20',
  days: 'M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7M8 14h.01M12 14h.01M16 14h.01M8 17h.01M12 17h.01',
  system: 'M3 12.5h4l2.5-6 4.5 11 2.5-5H21',
  download: 'M12 4v11M7.5 11l4.5 4.5L16.5 11M5 20h14',
  previous: 'M14.5 5l-7 7 7 7',
  next: 'M9.5 5l7 7-7 7',
  people:
    'M4 5h16v14H4zM8.5 12a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6M5.8 16c.4-1.5 1.4-2.3 2.7-2.3s2.3.8 2.7 2.3M14 10h3.5M14 14h3.5',
  enrol: 'M4 4h7.5L20 12.5l-3 3M12.5 20 4 11.5V4M8 8h.01M18 16.5v5M15.5 19h5',
  import: 'M12 4v10.5M8 11l4 4 4-4M4.5 15v4.5h15V15',
  edit: 'M5 19l.8-3.8L16 5l3 3L8.8 18.2z',
  done: 'M5 12.5l4.5 4.5L19.5 7',
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  print: 'M7 9V4h10v5M7 17H4.5V9h15v8H17M7 14h10v6H7z',
  tag: 'M4 4h7.5L20 12.5 12.5 20 4 11.5zM8 8h.01',
} as const;

export type IconName = keyof typeof shapes;

/** A picture beside a text with the same meaning, hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}

/** The logo: four strokes and one across, as in tallying on paper. */
export function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M8 7v18M13 7v18M18 7v18M23 7v18M4.5 21.5l23-11" />
    </svg>
  );
}
