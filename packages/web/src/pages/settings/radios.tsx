import { Fragment, type ComponentChildren, type VNode } from 'preact';

/** A choice of one of several, each in a line with its words. */
export function Radios({
  name,
  legend,
  value,
  options,
  onChoose,
}: {
  /** Of the buttons, unique in the page. */
  readonly name: string;
  /** For screen readers: the heading above says it to everybody else. */
  readonly legend: string;
  readonly value: string;
  /** What belongs to a choice is below it. */
  readonly options: readonly (readonly [value: string, words: ComponentChildren, more?: ComponentChildren])[];
  readonly onChoose: (value: string) => void;
}): VNode {
  return (
    <fieldset class="roles">
      <legend class="only-read">{legend}</legend>
      {options.map(([each, words, more]) => (
        <Fragment key={each}>
          <label class="check">
            <input
              type="radio"
              name={name}
              value={each}
              checked={each === value}
              onChange={() => onChoose(each)}
            />
            <span>{words}</span>
          </label>
          {more}
        </Fragment>
      ))}
    </fieldset>
  );
}
