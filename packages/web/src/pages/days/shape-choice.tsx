import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';

/** Shape of the table, as in files of the service: a row for each person, or a row for each person and day. */
export type Shape = 'table' | 'entries';

/** Chooses the shape on the page, and in files. */
export function ShapeChoice({
  shape,
  onChoose,
}: {
  readonly shape: Shape;
  readonly onChoose: (shape: Shape) => void;
}): VNode {
  const { texts } = usePage();
  const choices = [
    ['table', texts.days.byPerson],
    ['entries', texts.days.byDay],
  ] as const;
  return (
    <fieldset class="choice">
      <legend class="only-read">{texts.days.shape}</legend>
      {choices.map(([each, label]) => (
        <label key={each}>
          <input type="radio" name="shape" checked={each === shape} onChange={() => onChoose(each)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
