import type { Topic } from '../language.js';

const en = {
  title: 'Passkeys',
  hint: 'With a passkey you sign in by fingerprint, face or PIN of your device, without name and password.',
  none: 'You have none yet.',
  noneOfAll: 'Nobody has one yet.',
  add: 'Add a passkey',
  added: (label: string) => `“${label}” was added. You can sign in with it now.`,
  label: 'Name of the passkey',
  labelHint: 'Such as the phone or the security key it is on.',
  labelMissing: 'Enter a name.',
  password: 'Your password',
  passwordHint: 'To be sure that it is you.',
  host: 'Host',
  where: 'Stored',
  synced: 'On all your devices',
  onDevice: 'On one device',
  removeOf: (label: string) => `Remove the passkey “${label}”`,
  removeHint:
    'It can no longer be used to sign in, and its user is signed out on all other devices. The device keeps it: delete it there too.',
  removed: (label: string) => `“${label}” was removed.`,
  why: {
    insecure: 'Browsers offer passkeys only over https. Ask whoever runs the service.',
    address: 'Browsers offer passkeys only for host names. Open this page by its name, not by an IP address.',
    browser: 'This browser does not support passkeys. Any current browser does.',
  },
  elsewhere: 'You sign in elsewhere, without a password here. Add the passkey there.',
  unavailable: 'Passkeys are not available now. Reload the page.',
  invalid: 'This passkey was not accepted. Try again, or use another device.',
  tooMany: 'You have the maximum number of passkeys. Remove one that you do not use.',
  presentHere: 'This device already has a passkey of yours.',
  stopped: 'It was cancelled, or took too long. Nothing was changed.',
  signIn: 'Sign in with a passkey',
  refused: 'This passkey is no longer known here. Sign in with name and password.',
};

/** Texts of passkeys. */
export const passkeyTexts: Topic<typeof en> = {
  en,
  de: {
    title: 'Passkeys',
    hint: 'Mit einem Passkey melden Sie sich mit Fingerabdruck, Gesicht oder PIN Ihres Geräts an, ohne Name und Passwort.',
    none: 'Sie haben noch keinen.',
    noneOfAll: 'Noch hat niemand einen.',
    add: 'Passkey hinzufügen',
    added: (label) => `„${label}“ ist hinzugefügt. Sie können sich jetzt damit anmelden.`,
    label: 'Wie er heißt',
    labelHint: 'Etwa das Telefon oder der Schlüssel, auf dem er ist.',
    labelMissing: 'Sagen Sie, wie er heißt.',
    password: 'Ihr Passwort',
    passwordHint: 'Damit sicher ist, dass Sie es sind.',
    host: 'Für',
    where: 'Liegt',
    synced: 'Auf all Ihren Geräten',
    onDevice: 'Auf einem Gerät',
    removeOf: (label) => `Den Passkey „${label}“ entfernen`,
    removeHint:
      'Niemand kann sich mehr damit anmelden, und sein Benutzer ist auf allen anderen Geräten abgemeldet. Auf dem Gerät bleibt er: Löschen Sie ihn auch dort.',
    removed: (label) => `„${label}“ ist entfernt.`,
    why: {
      insecure:
        'Browser haben Passkeys nur auf Seiten, die über https kommen. Diese kam über http: Fragen Sie, wer den Dienst betreibt.',
      address:
        'Browser haben Passkeys nur für Namen, und diese Seite wurde über eine IP-Adresse geöffnet. Öffnen Sie sie über ihren Namen.',
      browser: 'Dieser Browser hat keine Passkeys oder ist zu alt. Jeder aktuelle Browser hat sie.',
    },
    elsewhere: 'Sie haben hier kein Passwort und melden sich anderswo an. Fügen Sie den Passkey dort hinzu.',
    unavailable: 'Hier gibt es gerade keine Passkeys. Laden Sie die Seite neu.',
    invalid:
      'Dieser Passkey wurde nicht angenommen. Beginnen Sie von vorn, oder nehmen Sie ein anderes Gerät.',
    tooMany: 'Mehr Passkeys sind nicht möglich. Entfernen Sie einen, den Sie nicht benutzen.',
    presentHere: 'Dieses Gerät hat hier schon einen Passkey von Ihnen.',
    stopped: 'Es wurde abgebrochen oder hat zu lange gedauert. Nichts ist geschehen.',
    signIn: 'Mit Passkey anmelden',
    refused: 'Dieser Passkey ist hier nicht mehr bekannt. Melden Sie sich mit Name und Passwort an.',
  },
};
