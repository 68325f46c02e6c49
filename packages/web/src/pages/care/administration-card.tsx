import type { VNode } from 'preact';
import { usePage } from '../../page-context.js';
import { Card } from '../../parts/card.js';
import { useTopic } from '../../parts/words/use-topic.js';
import { paths } from '../../routing/paths.js';
import { accessTexts } from '../../texts/topics/access.js';
import { auditTexts } from '../../texts/topics/audit.js';
import { careTexts } from '../../texts/topics/care.js';
import { correctionTexts } from '../../texts/topics/corrections.js';
import { personalTexts } from '../../texts/topics/personal.js';

/** Links to pages that need more rights. */
export function AdministrationCard(): VNode | null {
  const { access } = usePage();
  const words = useTopic(careTexts);
  const ofAccess = useTopic(accessTexts);
  const links = [
    ['manage-access', paths.users, ofAccess.users],
    ['manage-access', paths.tokens, ofAccess.tokens],
    ['correct-record', paths.corrections, useTopic(correctionTexts).title],
    ['manage-personal-data', paths.personal, useTopic(personalTexts).title],
    ['see-audit', paths.audit, useTopic(auditTexts).title],
  ] as const;
  const allowed = links.filter(([action]) => access.may(action));
  if (allowed.length === 0) return null;
  return (
    <Card title={words.administration}>
      <ul class="links">
        {allowed.map(([, href, label]) => (
          <li key={href}>
            <a href={href}>{label}</a>
          </li>
        ))}
      </ul>
    </Card>
  );
}
