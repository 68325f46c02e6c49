import type { ComponentChildren, VNode } from 'preact';
import { Icon, type IconName } from './icon.js';

/** A button that does something on this page, unlike one that sends a form. */
export function Button({
  class: look = 'button',
  icon,
  label,
  opensDialog = false,
  isPressed,
  isDisabled = false,
  onClick,
  children,
}: {
  readonly class?: string;
  readonly icon?: IconName;
  /** For screen readers, if the content says too little. */
  readonly label?: string;
  readonly opensDialog?: boolean;
  /** For a button that is one of several choices. */
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children?: ComponentChildren;
}): VNode {
  return (
    <button
      type="button"
      class={look}
      aria-haspopup={opensDialog ? 'dialog' : undefined}
      aria-label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
