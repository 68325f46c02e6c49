import type { Ref, VNode } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** The error of the value, in words; announced and shown at the field. */
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly type?: 'text' | 'search';
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  /** For components that move the focus. */
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A text field with its label above. */
export function Field(props: FieldProps): VNode {
  const { label, value, onInput, error, hint, type, autoFocus, maxLength, inputRef } = props;
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((each) => each !== '')
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        {...(inputRef !== undefined && { ref: inputRef })}
        {...(type === 'search' ? { type: 'search' } : { type: 'text' })}
        value={value}
        autoComplete="off"
        spellcheck={false}
        autoFocus={autoFocus ?? false}
        {...(maxLength !== undefined && { maxLength })}
        aria-invalid={error === undefined ? undefined : 'true'}
        aria-describedby={described === '' ? undefined : described}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {hint === undefined ? undefined : (
        <p id={`${id}-hint`} class="quiet field-hint">
          {hint}
        </p>
      )}
      <p id={`${id}-error`} class="field-error" role="alert">
        {error}
      </p>
    </div>
  );
}

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
