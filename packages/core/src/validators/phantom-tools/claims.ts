import type { Mention } from './mentions.ts'

/** What the text says of a name: that it was run, which is said of tools, or used, which is said of anything. */
export type Claim = 'ran' | 'used'

const english =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:I|we|let me|let['’]s|ich|wir)(?:['’](?:ve|ll|m))?\s(?:[\w'’]+\s){0,3}?(?:(?<past>ran|called|executed|invoked)|(?<present>run|call|execute|invoke)|(?:us(?:e|ed|ing)|tried|try|running|calling|executing|invoking|nutze|verwende))\s+(?:(?:the|a|my|our|tool|das|den|die)\s+){0,2}$/i
/** What makes "run" a claim: it has been done, or is about to be. */
const notHabit = /\b(?:have|had|will|going to|let me|let['’]s)\b|['’](?:ve|ll)\b/i

/** The most words between the parts of a German verb. */
const words = '(?:[\\wäöüß,`"“”„*\'’]+\\s+){0,4}?'
const have = 'habe|haben|hatte|hatten|werde|werden'
const call = 'rufe|rufen|führe|führen'
const ran = 'ausgeführt|aufgerufen|gestartet'

/** In German the verb comes last: "ich habe … verwendet", "dann wurde … aufgerufen", "ich führe … aus". */
const german: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:(?:ich|wir)\\s+(?:${have})|(?:${have})\\s+(?:ich|wir))\\s+${words}$`, 'i'),
    // backtracks: the text after a word is cut to its first characters
    new RegExp(
      `^\\s+${words}(?:(?<ran>${ran}|ausführen|aufrufen|starten)|verwendet|benutzt|genutzt|eingesetzt|verwenden|benutzen|nutzen)(?![\\wäöüß])`,
      'i',
    ),
  ],
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:wurde|wurden)\\s+${words}$`, 'i'),
    // backtracks: the text after a word is cut to its first characters
    new RegExp(`^\\s+${words}(?<ran>${ran})\\b`, 'i'),
  ],
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:(?:ich|wir)\\s+(?:${call})|(?:${call})\\s+(?:ich|wir))\\s+${words}$`, 'i'),
    // backtracks: the text after a word is cut to its first characters
    new RegExp(`^\\s+${words}(?<ran>auf|aus)\\b`, 'i'),
  ],
]

/** Whether the text claims that what it names was run or used, or is about to be. */
export function claimOf({ before, after }: Pick<Mention, 'before' | 'after'>): Claim | undefined {
  const said = english.exec(before)
  if (said?.groups?.past !== undefined || (said?.groups?.present !== undefined && notHabit.test(said[0]))) return 'ran'
  for (const [left, right] of german) {
    const verb = right.exec(after)
    if (verb && left.test(before)) return verb.groups?.ran === undefined ? 'used' : 'ran'
  }
  return said ? 'used' : undefined
}
