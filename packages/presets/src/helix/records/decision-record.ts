import { type Header, isMapping } from './metadata-headers.ts'

/** Whether a header names itself a decision record's, even when its YAML cannot be read. */
export function hasAdrId({ yaml, source }: Pick<Header, 'yaml' | 'source'>): boolean {
  return isMapping(yaml) ? Object.hasOwn(yaml.value, 'adr_id') : /^[ \t]*["']?adr_id["']?[ \t]*:/m.test(source)
}

/** What a title that names a decision record says: this is the record, or a text about it. */
export interface AdrTitle {
  readonly kind: 'record' | 'about'
  /** The number of the record, when it has one. */
  readonly number: number | undefined
}

/** Kinds of texts about something, in German and English. */
const genres = new Set(
  `review|reviews|diskussion|discussion|kommentar|kommentare|comment|comments|feedback|zusammenfassung|kurzfassung|summary|recap|notizen|notes
  |anmerkung|anmerkungen|remarks|bewertung|beurteilung|einschätzung|assessment|evaluation|analyse|analysis|rückmeldung|rückfragen|frage|fragen
  |question|questions|faq|antwort|antworten|answers|stellungnahme|kritik|critique|überblick|übersicht|overview|vergleich|comparison|stand|fortschritt
  |progress|umsetzung|umsetzungsplan|implementierung|implementierungsplan|implementation|protokoll|minutes|meeting|besprechung|agenda|fazit|conclusion
  |hintergrund|background|änderungen|changes|changelog|vorschläge|verbesserungsvorschläge|suggestions|erläuterung|erläuterungen|erklärung|explanation
  |prüfung|bericht|report|gutachten|audit|retrospektive|retrospective|walkthrough|lessons|status
  |erklärt|erläutert|explained|explaining|understanding|checkliste|checklist|punkte|testplan|migrationsplan|todos`
    .split('|')
    .map((word) => word.trim()),
)
/** German words have a kind of text as their last part. */
const compound = /(?:kommentare?|diskussion|zusammenfassung|notizen|anmerkung(?:en)?|rückmeldung(?:en)?|bericht)$/
const connectors = new Set(['und', 'and', 'oder', 'or', 'vs', 'versus'])
const questions = new Set('wie|warum|weshalb|wieso|wann|was|wer|wo|welche|how|why|when|what|who|where|which'.split('|'))
const opening = new Set('offene|open|kurze|short|erste|first|weitere|further|meine|my'.split('|'))
const relations = new Set(
  'zu|zum|zur|von|vom|über|für|des|der|dem|den|on|of|about|for|to|regarding|re|mit|with|aus|from|in|im|against|gegen|the|nach|gemäß|laut|seit|after|since|per'.split(
    '|',
  ),
)

/** Reads the title of a record, or of a text about one. */
export function readAdrTitle(heading: string): AdrTitle | undefined {
  const title = heading.replace(/[*_`[\]]/g, '')
  const found = /\b(ADRs?|architect(?:ure|ural) decision records?)(?![a-z])(?:[-\s#]{0,3}(\d{1,9}))?/i.exec(title)
  if (!found) return undefined
  const number = found[2] === undefined ? undefined : Number(found[2])
  const [before, after] = [title.slice(0, found.index), title.slice(found.index + found[0].length)]
  if (isAbout(before, after)) return { kind: 'about', number }
  const isNamed = number !== undefined || /^arch/i.test(found[0]) || (before.trim() === '' && /^\s*[:–—]/.test(after))
  return isNamed ? { kind: 'record', number } : undefined
}

/** `Review of ADR-7`, `ADR-7 discussion`, `ADR-7: Summary`; but `ADR-7: Review of pull requests` is what was decided. */
function isAbout(before: string, after: string): boolean {
  const words = wordsOf(before)
  if (words.some(isGenre) || questions.has(words[0] ?? '') || relations.has(words.at(-1) ?? '')) return true
  const following = wordsOf(after)
  const [first = ''] = following
  const isTitled = /^\s*[:–—.,|(/-]/.test(after)
  if (isTitled) return genres.has(following[opening.has(first) ? 1 : 0] ?? '') && following.length === (opening.has(first) ? 2 : 1)
  // Compared with another one.
  if (/\bADR[-\s#]{0,3}\d/i.test(after) || (relations.has(first) && genres.has(following[1] ?? ''))) return true
  return isGenre(first) || connectors.has(first) || isGenre(following.at(-1) ?? '')
}

function isGenre(word: string): boolean {
  return genres.has(word) || compound.test(word)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/\p{L}+/gu) ?? []
}
