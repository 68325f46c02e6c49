import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { paths } from '../../routing.js';
import { rolesFor } from '../../state/access.js';
import { Button } from '../button.js';
import { Empty, Failure } from '../placeholders.js';
import { useTask } from '../use-requests.js';
import type { Words } from '../../texts/language.js';

/**
 * For a page that this user may not see: shows the roles that may, the signed-in user, and a way to sign in as another
 * user.
 */
export function NotAllowed({ action }: { readonly action: string }): VNode {
  const { texts, access } = usePage();
  const { errorOf, isBusy, run } = useTask();
  const words = texts.access;
  const nameOf = (role: string): string => (words.roles as Words)[role] ?? role;
  const user = access.info.value?.user ?? undefined;
  // A device app may serve the page without users: then nobody may see this page.
  const hint =
    user === undefined
      ? words.notServed
      : access.isBound() && rolesFor(action).includes(user.role)
        ? words.notByGroup
        : texts.failure.onlyFor(rolesFor(action).map(nameOf).join(', '));
  return (
    <Empty title={words.notAllowed} hint={hint} isPage>
      {user && (
        <>
          <p>{words.signedInAs(user.name, nameOf(user.role))}</p>
          <Failure text={errorOf()} />
        </>
      )}
      <div class="actions">
        {user && (
          <Button
            class="button button-main"
            isDisabled={isBusy.value}
            // The address stays, so that signing in leads to the wanted page.
            onClick={() => void run(() => access.leave())}
          >
            {words.signInAsOther}
          </Button>
        )}
        <a href={access.may('see-today') ? paths.today : paths.account} class="button">
          {access.may('see-today') ? texts.app.backToToday : words.account}
        </a>
      </div>
    </Empty>
  );
}
