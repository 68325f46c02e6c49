import type { Correction } from '@tallybook/client';
import { usePage } from '../../page-context.js';
import { momentOf, type DayRange } from '../../state/days/days.js';
import { useAnswer, type Asked } from '../use-answer.js';

/** What was corrected in a range of days, also while it is looked at. */
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
