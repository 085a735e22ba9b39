import type { Mention } from './mentions.ts'

// Stronger than a mere "we use": it was done, or is done now.
const english =
  // backtracks: the text before a word is cut to its last characters
  /\b(?:(?:I|we|I['’]ve|we['’]ve)\s(?:[\w'’]+\s){0,2}?(?:ran|called|used|executed|invoked|tried|run)|(?:I['’]ll|I will|I['’]m going to|let me|let['’]s)\s(?:\w+\s){0,2}?(?:run|call|use|execute|invoke|try))\s+(?:(?:the|a|my|our)\s+)?$/i

/** So many words stand between the parts of a German verb. */
const words = '(?:[\\wäöüß,`"“”„*\'’]+\\s+){0,4}?'
const have = 'habe|haben|hatte|hatten|werde|werden'
const call = 'rufe|rufen|führe|führen'

/** In German the verb comes last: "ich habe … verwendet", "dann wurde … aufgerufen", "ich führe … aus". */
const german: readonly (readonly [before: RegExp, behind: RegExp])[] = [
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:(?:ich|wir)\\s+(?:${have})|(?:${have})\\s+(?:ich|wir))\\s+${words}$`, 'i'),
    // backtracks: the text behind a word is cut to its first characters
    new RegExp(
      `^\\s+${words}(?:verwendet|benutzt|genutzt|eingesetzt|ausgeführt|aufgerufen|gestartet|verwenden|benutzen|nutzen|ausführen|aufrufen|starten)\\b`,
      'i',
    ),
  ],
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:wurde|wurden)\\s+${words}$`, 'i'),
    // backtracks: the text behind a word is cut to its first characters
    new RegExp(`^\\s+${words}(?:ausgeführt|aufgerufen|gestartet)\\b`, 'i'),
  ],
  [
    // backtracks: the text before a word is cut to its last characters
    new RegExp(`\\b(?:(?:ich|wir)\\s+(?:${call})|(?:${call})\\s+(?:ich|wir))\\s+${words}$`, 'i'),
    // backtracks: the text behind a word is cut to its first characters
    new RegExp(`^\\s+${words}(?:auf|aus)\\b`, 'i'),
  ],
]

/** Whether the text claims that what it names was run, or is about to be. */
export function isClaimed({ before, after }: Pick<Mention, 'before' | 'after'>): boolean {
  return english.test(before) || german.some(([left, right]) => right.test(after) && left.test(before))
}
