import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

/** A choice of one of several values, with its label above. */
export function Select({
  label,
  value,
  options,
  isDisabled = false,
  onChoose,
}: {
  readonly label: string;
  readonly value: string;
  /** Each value with its words. */
  readonly options: readonly (readonly [string, string])[];
  readonly isDisabled?: boolean;
  readonly onChoose: (value: string) => void;
}): VNode {
  const id = useId();
  return (
    <div class="field no-print">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}
