import { setTimeout as delay } from 'node:timers/promises';
import { hearBlocks, openStream } from '../event-stream.js';
import { lastTagOf, type Subject } from './subject.js';

const PAUSE_MS = 20;

export interface Following extends Subject {
  /** Called with the event id of each `attendance` of the followed tags. */
  readonly onChange: (eventId: string) => void;
  /** Called if the stream cannot deliver all changes. */
  readonly onReset: (what: string) => void;
}

/**
 * Follows an event stream from the first change to the last tag. When the stream is cut off, it continues at the same
 * place.
 */
export async function followStream(url: string, following: Following): Promise<void> {
  const { prefix, headers, onChange, onReset } = following;
  let lastEventId = '';
  const state = { isOver: false };
  const hear = (block: string): void => {
    const [id, event, data = ''] = ['id', 'event', 'data'].map(
      (field) => new RegExp(`^${field}: (.*)$`, 'm').exec(block)?.[1],
    );
    if (state.isOver || id === undefined) return;
    if (event === 'reset') onReset(`${data} after ${lastEventId}`);
    // The first event has the present end of the journal; earlier changes are wanted too.
    lastEventId = lastEventId === '' ? id.replace(/[0-9]+$/, '0') : id;
    if (event !== 'attendance' || !data.includes(`"id":"${prefix}`)) return;
    onChange(id);
    state.isOver = data.includes(lastTagOf(prefix));
  };
  while (!state.isOver) {
    const isFirst = lastEventId === '';
    const response = await openStream(url, lastEventId, headers);
    if (response === undefined) {
      await delay(PAUSE_MS);
      continue;
    }
    await hearBlocks(response, (block) => {
      if (!isFirst || lastEventId === '') hear(block);
      if (state.isOver || (isFirst && lastEventId !== '')) response.destroy();
    });
  }
}
