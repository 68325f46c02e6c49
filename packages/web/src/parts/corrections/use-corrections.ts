import type { Correction } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { momentOf, type DayRange } from '../../state/days/days.js';
import { useAnswer, type Asked } from '../use-answer.js';

/** The corrections in a range of days, read again after each correction. */
export function useCorrections({ from, to }: DayRange): Asked<readonly Correction[]> {
  const { access, client, session, formats } = usePage();
  const isKept = access.isManaged();
  return useAnswer(
    () =>
      isKept
        ? client.listCorrections({
            from: momentOf(from, formats.wallClock),
            to: momentOf(to, formats.wallClock),
          })
        : Promise.resolve([]),
    [from, to, isKept, formats, session.changes.value],
  );
}
