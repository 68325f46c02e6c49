import type { VNode } from 'preact';
import { useId } from 'preact/hooks';

export interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** What is wrong with the value, in words; announced and shown at the field. */
  readonly error?: string | undefined;
  readonly hint?: string;
  readonly type?: 'text' | 'search';
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
}

/** A line to type in, with its label above. */
export function Field({ label, value, onInput, error, hint, type, autoFocus, maxLength }: FieldProps): VNode {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter((each) => each !== '')
    .join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
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
