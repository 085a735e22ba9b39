/** A message to a model, and everything that its quotation marks may quote from. */
interface LintedMessage {
  readonly message: string
  readonly hint?: string | undefined
  /** The answer, the options and the context: what is data. */
  readonly data: string
  /** Whether its sentence is given by the template that it comes from: only what is around it is looked at. */
  readonly isGiven?: boolean
}

const imperatives: ReadonlySet<string> = new Set(
  (
    'Add Answer Begin Call Change Choose Cite Close Correct Cut Do Drop End Extend Fill Finish Follow Give Go Indent Keep Leave Lengthen Let Link List Make Move Name Number Put ' +
    'Remove Rename Replace Return Say Search Send Separate Set Shorten Spell Start Use Wrap Write ' +
    'Antworte Beantworte Beende Beginne Benenne Benutze Ende Entferne Ergänze Ersetze Erweitere Formuliere Fülle Füge Gib Halte Korrigiere Kürze Lass Liste Mache Nenne Nummeriere Passe Rufe ' +
    'Sage Schließe Schreibe Setze Suche Trenne Verlinke Verlängere Verschiebe Verwende Wiederhole Wähle Zitiere Ändere'
  ).split(' '),
)

/** What is wrong with a message: a model must be able to follow it. */
export function messageFaults({ message, hint = '', data, isGiven = false }: LintedMessage): string[] {
  const faults = isGiven ? [] : sentenceFaults(message)
  if (zero.test(message)) faults.push('counts to 0')
  const plural = one.exec(message)
  if (plural) faults.push(`has ${JSON.stringify(plural[0])}`)
  if (ofOperators.test(`${message} ${hint}`)) faults.push('asks for what only an operator can do')
  if (/@/.test(hint) && !/mail/i.test(message)) faults.push('has a hint that fits another kind')
  // backtracks: messages are short
  for (const quoted of `${message} ${hint}`.match(/"(?:[^"\\]|\\.)*"/g) ?? []) faults.push(...quotationFaults(quoted, data))
  return faults
}

const zero = /\b(?:(?:at (?:most|least)|exactly|höchstens|mindestens|genau) 0\b|0 times|0-mal)/
const one =
  /\b(?:1 (?!is |was |has |bis |does\b)\p{Ll}+s\b|1 to 1\b|1 bis 1\b|1 (?:Wörter|Sätze|Zeilen|Absätze|Teile|Überschriften|Tabellen|Quellen|Buchstaben)\b)/u
const ofOperators = /completion tokens|Completion-Tokens|raise the limit/i
/** Behind these words a text of the answer follows. */
const unquoted = /\b(?:(?:starts|begins|ends) with|(?:beginnt|endet) mit) (?!["'„]|an? |eine[mr]? )/

/** A sentence to a model: an instruction, which ends. */
function sentenceFaults(message: string): string[] {
  const faults: string[] = []
  const [first = ''] = message.split(/[\s,;:]/)
  // Or the fact, and right behind it what to do.
  const [second = ''] = (message.split(': ')[1] ?? '').split(' ')
  if (!imperatives.has(first) && !imperatives.has(second.charAt(0).toUpperCase() + second.slice(1)))
    faults.push(`starts with ${JSON.stringify(first)} instead of an instruction`)
  if (!/[.!?]$/.test(message)) faults.push('does not end as a sentence')
  if (unquoted.test(message)) faults.push('shows text of the answer without quotes')
  return faults
}

/** Quotation marks hold data alone, written as it is, and whole words of it. */
function quotationFaults(quoted: string, data: string): string[] {
  const text = textIn(quoted)
  const shown = text.replace(/^…|…$/g, '')
  if (!data.includes(shown))
    return [data.includes(shown.replaceAll('\\\\', '\\')) ? `escapes ${quoted} twice` : `quotes ${quoted}, which is not data`]
  return isWhole(shown, data) || (shown !== text && !/\s/.test(shown)) ? [] : [`cuts a word in ${quoted}`]
}

/** Whether a text begins and ends with whole words somewhere in the data. */
function isWhole(shown: string, data: string): boolean {
  for (let at = data.indexOf(shown); at >= 0; at = data.indexOf(shown, at + 1)) {
    const before = /^\p{L}/u.test(shown) && /\p{L}$/u.test(data.slice(0, at))
    const after = /\p{L}$/u.test(shown) && /^\p{L}/u.test(data.slice(at + shown.length))
    if (!before && !after) return true
  }
  return false
}

function textIn(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}
