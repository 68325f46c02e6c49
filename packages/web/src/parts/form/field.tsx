import type { Signal } from '@preact/signals';
import type { ComponentChildren, Ref, VNode } from 'preact';
import { useId } from 'preact/hooks';
import { dayOfIso, isoOf } from '../../state/days.js';

interface LabelledProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The error of the value, in words; announced and shown at the field. */
  readonly error?: string | undefined;
}

/** An input with its label above. Hint and error are below, and describe it. */
export function Labelled({
  label,
  hint,
  error,
  children,
}: LabelledProps & {
  readonly children: (own: {
    readonly id: string;
    readonly 'aria-describedby': string;
    readonly 'aria-invalid': 'true' | undefined;
  }) => VNode;
}): VNode {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        'aria-describedby': `${id}-hint ${id}-error`,
        'aria-invalid': error === undefined ? undefined : 'true',
      })}
      <p id={`${id}-hint`} class="quiet field-hint">
        {hint}
      </p>
      <p id={`${id}-error`} class="field-error" role="alert">
        {error}
      </p>
    </div>
  );
}

export interface FieldProps extends LabelledProps {
  readonly value: Signal<string>;
  /** Called after the value has changed. */
  readonly onInput?: () => void;
  readonly type?: 'text' | 'search' | 'time';
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
  /** For components that move the focus. */
  readonly inputRef?: Ref<HTMLInputElement> | undefined;
}

/** A text field with its label above. */
export function Field({
  value,
  onInput,
  type = 'text',
  autoFocus = false,
  maxLength,
  inputRef,
  ...labels
}: FieldProps): VNode {
  return (
    <Labelled {...labels}>
      {(own) => (
        <input
          {...own}
          {...(inputRef !== undefined && { ref: inputRef })}
          // Types of attributes know each type of an input alone.
          {...{ type: type as 'text' }}
          value={value.value}
          autoComplete="off"
          spellcheck={false}
          autoFocus={autoFocus}
          {...(maxLength !== undefined && { maxLength })}
          onInput={(event) => {
            value.value = event.currentTarget.value;
            onInput?.();
          }}
        />
      )}
    </Labelled>
  );
}

/** A date. It is taken only when it is complete: a half-typed year is one of antiquity. */
export function DateField({
  day,
  onChoose,
  ...labels
}: LabelledProps & {
  /** `null` if none is known. */
  readonly day: number | null;
  /** @param day `undefined` if the text is not a date since 1970. */
  readonly onChoose: (day: number | undefined) => void;
}): VNode {
  return (
    <Labelled {...labels}>
      {(own) => (
        <input
          {...own}
          type="date"
          min="1970-01-01"
          value={day === null ? '' : isoOf(day)}
          onChange={(event) => onChoose(dayOfIso(event.currentTarget.value))}
        />
      )}
    </Labelled>
  );
}

/** A choice of one of several values, with its label above. */
export function Select({
  value,
  options,
  isDisabled = false,
  onChoose,
  ...labels
}: LabelledProps & {
  readonly value: string;
  /** Each value with its words. */
  readonly options: readonly (readonly [string, string])[];
  readonly isDisabled?: boolean;
  readonly onChoose: (value: string) => void;
}): VNode {
  return (
    <Labelled {...labels}>
      {(own) => (
        <select
          {...own}
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
      )}
    </Labelled>
  );
}

/** A box to tick, with its words. */
export function Check({
  value,
  children,
}: {
  readonly value: Signal<boolean>;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <label class="check no-print">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  );
}
