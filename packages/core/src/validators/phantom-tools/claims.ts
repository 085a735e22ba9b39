import type { Mention } from './mentions.ts'

/** What the text says of a name: that it was run, which is said of tools, or used, which is said of anything. */
export type Claim = 'ran' | 'used'

/** What may be between "I" and "called": after anything else it introduces a name, as in "I made a list called". */
const adverbs = '(?:(?:have|had|has|also|just|then|now|already|first|next|once|twice|again|only|both|and|\\w+ly)\\s+){0,3}?'
const english =
  // backtracks: the text before a word is cut to its last characters
  new RegExp(
    `\\b(?:I|we|let me|let['’]s|ich|wir)(?:['’](?:ve|ll|m|d))?\\s(?:(?<called>${adverbs}called)|(?:[\\w'’]+\\s){0,3}?` +
      '(?:(?<past>ran|executed|invoked)|(?<present>run|call|execute|invoke)|' +
      '(?:us(?:e|ed|ing)|tried|try|running|calling|executing|invoking|nutze|verwende)))\\s+(?:(?:the|a|my|our|tool|command|program|das|den|die)\\s+){0,2}$',
    'i',
  )
/** What makes "run" a claim: it has been done, or is about to be. */
const notHabit = /\b(?:have|had|will|going to|let me|let['’]s)\b|['’](?:ve|ll)\b/i
/** What makes a statement none: it is denied, or only supposed. */
// backtracks: the text around a word is cut to its first and last characters
const denied = /\b(?:not(?!\s+only)|never|cannot|without|nicht(?!\s+nur)|nie|niemals|kein\w*|ohne)(?![\wäöüß])|n['’]t\b/i
// backtracks: the text before a word is cut to its last characters
const supposed = /\b(?:if|unless|whether|falls|wenn|sofern|soweit|solange|ob)\s+(?:[\wäöüß]+\s+)?$/i

/** The most words between the parts of a German verb. */
const words = '(?:[\\wäöüß,`"“”„*\'’]+\\s+){0,4}?'
const end = '(?![\\wäöüß])'
const have = 'habe|haben|hatte|hatten|werde|werden'
const call = 'rufe|rufen|führe|führen'
const ran = 'ausgeführt|aufgerufen|gestartet'
const used = 'verwendet|benutzt|genutzt|eingesetzt'
const running = 'ausführen|aufrufen|starten'
const using = 'verwenden|benutzen|nutzen|einsetzen'
const since = 'weil|dass|da|nachdem|bevor|während|indem|obwohl|sodass|wobei|woraufhin|wonach'

/** In German the verb comes last, in main clauses only a part of it: "ich habe … verwendet", "weil ich … verwendet habe". */
const german: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [`\\b(?:(?:ich|wir)\\s+(?:${have})|(?:${have})\\s+(?:ich|wir))\\s+${words}$`, `(?:(?<ran>${ran}|${running})|${used}|${using})${end}`],
  [`\\b(?:wurde|wurden)\\s+${words}$`, `(?<ran>${ran})${end}`],
  [`\\b(?:(?:ich|wir)\\s+(?:${call})|(?:${call})\\s+(?:ich|wir))\\s+${words}$`, `(?<ran>auf|aus)${end}`],
  [`\\b(?:ich|wir)\\s+${words}$`, `(?:(?<ran>${ran})|${used})\\s+(?:habe|haben|hatte|hatten)${end}`],
  [`\\b(?:ich|wir)\\s+${words}$`, `(?:(?<ran>${running})|${using})\\s+(?:werde|werden)${end}`],
  [
    `\\b(?:${since}|als)\\s+(?:ich|wir)\\s+${words}$`,
    `(?<ran>ausführe|ausführen|ausführte|ausführten|aufrufe|aufrufen|aufrief|aufriefen)${end}`,
  ],
  [`\\b(?:${since})\\s+${words}$`, `(?<ran>ausgeführt|aufgerufen)\\s+(?:worden\\s+)?(?:wurde|wurden|ist|sind|war|waren)${end}`],
  ['', `(?:wurde|wurden)\\s+${words}(?<ran>ausgeführt|aufgerufen)${end}`],
].map(([before = '', behind = '']) => [
  // backtracks: the text before a word is cut to its last characters
  new RegExp(before, 'i'),
  // backtracks: the text after a word is cut to its first characters
  new RegExp(`^\\s+${before === '' ? '' : words}${behind}`, 'i'),
])

/** The name is given as the source of what is said. */
const source =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:laut|gemäß|gemäss|according to|as reported by)\s+(?:(?:the|der|dem|den|my|our|meiner|unserer)\s+)?(?:(?:outputs?|results?|response|ausgabe|ergebnis(?:sen)?|antwort)\s+(?:of|from|von|des)\s+)?$/i
const sourceBehind = /^\s+zufolge(?![\wäöüß])/i
/** Such names are values that anything may be stated by. */
const valueStatus = /^(?:exit|http|return|response|order|payment|job|build)_status$/i

/** Whether the text claims that what it names was run or used, or is about to be. */
export function claimOf({ name, before, after }: Pick<Mention, 'name' | 'before' | 'after'>): Claim | undefined {
  const said = english.exec(before)
  const isStated = said !== null && !denied.test(said[0]) && !supposed.test(before.slice(0, said.index))
  const { called, past, present } = said?.groups ?? {}
  if (isStated && (called !== undefined || past !== undefined || (present !== undefined && notHabit.test(said[0])))) return 'ran'
  for (const [left, right] of german) {
    const verb = right.exec(after)
    const opening = verb && left.exec(before)
    if (!opening || denied.test(opening[0]) || denied.test(verb[0]) || supposed.test(before.slice(0, opening.index))) continue
    return verb.groups?.ran === undefined ? 'used' : 'ran'
  }
  if ((source.test(before) || sourceBehind.test(after)) && !valueStatus.test(name)) return 'used'
  return isStated ? 'used' : undefined
}
