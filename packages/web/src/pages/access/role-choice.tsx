import type { Signal } from '@preact/signals';
import type { Role } from '@tallybook/client';
import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { accessTexts } from '../../texts/topics/access.js';

/** Chooses a role, with a line about the rights of each. */
export function RoleChoice({
  role,
  roles,
}: {
  readonly role: Signal<Role>;
  readonly roles: readonly Role[];
}): VNode {
  const { texts, words } = usePage(accessTexts);
  return (
    <fieldset class="roles">
      <legend>{words.role}</legend>
      {roles.map((each) => (
        <label key={each} class="check">
          <input
            type="radio"
            name="role"
            value={each}
            checked={each === role.value}
            onChange={() => (role.value = each)}
          />
          <span>
            {texts.access.roles[each]}
            <span class="quiet field-hint"> {words.roleHint[each]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
