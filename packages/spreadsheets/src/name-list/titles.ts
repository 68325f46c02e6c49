/** What a column of a list can be. */
export const parts = ['id', 'first', 'last', 'number', 'group', 'person'] as const;
export type ListPart = (typeof parts)[number];

const NUMBER =
  '(?:id|ids|uid|no|nr|n|num|numero|nummer|nummern|number|numbers|numer|code|codice|codigo|kod|hex|dec)';
const OF = '(?:de|du|del|della|der|di|la|le|van|of|the)';
const TAG =
  '(?:tally|tag|uid|card|chip|badge|rfid|nfc|fob|keyfob|token|transponder|karten?|ausweis' +
  '|carte|puce|jeton|tessera|tarjeta|kaart|pas(?!s)|pasje|druppel|karta|karty|brelok|legitymacja|legitymacji)';
/** Who has a number. A title such as "Member" alone is not that of a number. */
const MEMBER =
  '(?:mitglied(?:er|s)?|personal|pers|mitarbeiter(?:in)?|schuler(?:in)?|studenten?|teilnehmer|matrikel' +
  '|member(?:ship)?|personnel|employee|staff|student|pupil|payroll|adherente?|membre|licen[cs]e|licencie|etudiant|eleve|salarie' +
  '|soci[oa]?|dipendente|studente|allievo|empleado|alumno|estudiante|lid|leden|personeels?|leerling(?:en)?|relatie|stam|medewerkers?' +
  '|czlonk(?:a|owski)|pracownika|ucznia|studenta|albumu)';
const SECTION =
  'gruppen?|klassen?|abteilung(?:en)?|zug|zuge|mannschaft(?:en)?|riegen?|sparten?' +
  '|class|classes|groups?|teams?|squads?|departments?|sections?|groupes?|classe|equipes?' +
  '|grupp[oi]|class[ei]|squadr[ae]|repart[oi]|grupos?|clases?|equipos?|seccion(?:es)?|departamentos?' +
  '|groep(?:en)?|klas|ploeg(?:en)?|afdeling(?:en)?|klasa|klasy|grupa|grupy|druzyna|druzyny|oddzial|sekcja';

/**
 * Usual titles of the columns in English, German, French, Italian, Spanish, Dutch and Polish, as {@link plainTitle} makes
 * them. A title that comes earlier in a list is taken before later ones.
 */
export const titles: Readonly<Record<ListPart, readonly RegExp[]>> = {
  // In a list with cards, "ID" is the number of a row or of a person.
  id: [new RegExp(`^(?:${NUMBER}|${OF})*${TAG}+s?(?:${NUMBER}|${OF})*\\d{0,2}$`), /^ids?$/],
  first: [
    /^(?:first|(?:first|fore|given)names?|vornamen?|rufname|prenoms?|prenomusuel|nome|nombres?|voorna(?:am|men)|roepnaam|imi(?:e|ona))$/,
  ],
  last: [
    /^(?:last|(?:last|sur|family)names?|nachnamen?|familienname|zuname|nomde(?:famille|naissance)|nomdusage|cognome|(?:primer)?apellidos?|achternaam|familienaam|nazwisko)$/,
    // The whole name, if there is no title of a last name.
    /^(?:name|nom|naam|(?:full|display)name|vollername|nomcomplet|nometprenom|nominativo|nomecompleto|cognomeenome|nombrecompleto|apellidosynombre|volledigenaam|imieinazwisko)$/,
  ],
  number: [
    new RegExp(
      `^(?:${MEMBER}s?(?:${NUMBER}|${OF})+|(?:${NUMBER}|${OF}|[dl])+${MEMBER}s?|licence|matricule|matricola|matricula|legajo)$`,
    ),
    // Perhaps the number of a row.
    /^(?:n|no|nr|num|number|nummer|numero|numer)$/,
  ],
  group: [new RegExp(`^(?:${SECTION})\\d{0,2}$`)],
  // Of exports of Tallybook.
  person: [/^person(?:id)?$/],
};

/** Longer cells are not titles. */
const MAX_TITLE = 60;

/** A title without blanks, signs and accents, in small letters. */
export function plainTitle(title: string): string {
  if (title.length > MAX_TITLE) return '';
  const letters = title.normalize('NFKD').toLowerCase().replaceAll('\u0142', 'l').replaceAll('\u00DF', 'ss');
  return letters.replaceAll(/[^\p{L}\p{N}]/gu, '');
}
