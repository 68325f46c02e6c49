import type { VNode } from 'preact';

/** Drawn on 24 x 24 in lines of the colour of the text. */
const shapes = {
  today:
    'M16 20v-1.500a3.500 3.500 0 0 0-3.500-3.500h-5A3.500 3.500 0 0 0 4 18.500V20M10 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M16 11.500l2 2 3.500-4',
  muster: 'M9 6h11M9 12h11M9 18h11M3.500 6l1 1L6.500 5M3.500 12l1 1 2-2M3.500 18l1 1 2-2',
  kiosk: 'M4 4.500h16v11H4zM9 20h6M12 15.500V20',
  days: 'M4 6h16v14H4zM4 10.500h16M8.500 3.500V7M15.500 3.500V7M8 14h.01M12 14h.01M16 14h.01M8 17h.01M12 17h.01',
  care: 'M3 12.500h4l2.500-6 4.500 11 2.500-5H21',
  download: 'M12 4v11M7.500 11l4.500 4.500L16.500 11M5 20h14',
  previous: 'M14.500 5l-7 7 7 7',
  next: 'M9.500 5l7 7-7 7',
  names:
    'M4 5h16v14H4zM8.500 12a1.800 1.800 0 1 0 0-3.600 1.800 1.800 0 0 0 0 3.600M5.800 16c.4-1.500 1.400-2.300 2.700-2.300s2.300.8 2.700 2.300M14 10h3.500M14 14h3.500',
  enrol: 'M4 4h7.500L20 12.500l-3 3M12.500 20 4 11.500V4M8 8h.01M18 16.500v5M15.500 19h5',
  import: 'M12 4v10.500M8 11l4 4 4-4M4.500 15v4.500h15V15',
  edit: 'M5 19l.8-3.800L16 5l3 3L8.800 18.200z',
  done: 'M5 12.500l4.500 4.500L19.500 7',
  add: 'M12 5v14M5 12h14',
  close: 'M6 6l12 12M18 6 6 18',
  print: 'M7 9V4h10v5M7 17H4.500V9h15v8H17M7 14h10v6H7z',
  tag: 'M4 4h7.500L20 12.500 12.500 20 4 11.500zM8 8h.01',
} as const;

export type IconName = keyof typeof shapes;

/** A picture beside a text that says the same, so that a screen reader leaves it out. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
