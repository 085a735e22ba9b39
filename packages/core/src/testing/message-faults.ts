/** A message to a model, and everything that its quotation marks may quote from. */
export interface LintedMessage {
  readonly message: string
  readonly hint?: string | undefined
  /** The answer, the options and the context: what is data. */
  readonly data: string
}

const imperatives: ReadonlySet<string> = new Set(
  (
    'Add Answer Begin Call Change Choose Cite Close Correct Cut Do Drop End Fill Finish Follow Give Go Indent Keep Leave Let Link List Make Move Name Number Put ' +
    'Remove Rename Replace Return Say Search Send Separate Set Shorten Spell Start Use Wrap Write ' +
    'Antworte Beantworte Beende Beginne Benenne Benutze Ende Entferne Ergänze Ersetze Formuliere Fülle Füge Gib Halte Korrigiere Kürze Lass Liste Mache Nenne Nummeriere Rufe ' +
    'Sage Schließe Schreibe Setze Suche Trenne Verlinke Verschiebe Verwende Wiederhole Wähle Zitiere Ändere'
  ).split(' '),
)

/** What is wrong with a message: a model must be able to follow it. */
export function messageFaults({ message, hint = '', data }: LintedMessage): string[] {
  const faults: string[] = []
  const [first = ''] = message.split(/[\s,;:]/)
  // Or the fact, and right behind it what to do.
  const [second = ''] = (message.split(': ')[1] ?? '').split(' ')
  if (!imperatives.has(first) && !imperatives.has(second.charAt(0).toUpperCase() + second.slice(1)))
    faults.push(`starts with ${JSON.stringify(first)} instead of an instruction`)
  if (/\b(?:at (?:most|least)|exactly|höchstens|mindestens|genau) 0\b/.test(message)) faults.push('counts to 0')
  if (/@/.test(hint) && !/mail/i.test(message)) faults.push('has a hint that fits another kind')
  // backtracks: messages are short
  for (const quoted of `${message} ${hint}`.match(/"(?:[^"\\]|\\.)*"/g) ?? []) faults.push(...quotationFaults(quoted, data))
  return faults
}

/** Quotation marks hold data alone, written as it is, and whole words of it. */
function quotationFaults(quoted: string, data: string): string[] {
  const text = textIn(quoted)
  const shown = text.endsWith('…') ? text.slice(0, -1) : text
  const at = data.indexOf(shown)
  if (at < 0) return [data.includes(shown.replaceAll('\\\\', '\\')) ? `escapes ${quoted} twice` : `quotes ${quoted}, which is not data`]
  const isCut = shown !== text && /\p{L}$/u.test(shown) && /^\p{L}/u.test(data.slice(at + shown.length))
  return isCut && /\s/.test(shown) ? [`cuts a word in ${quoted}`] : []
}

function textIn(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return quoted.slice(1, -1)
  }
}
