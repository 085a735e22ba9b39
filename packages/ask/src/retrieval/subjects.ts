/** Longer questions are read up to here. */
const longest = 500
const article = '(?:an?|the|my|our|your|ein(?:e[nmrs]?)?|der|die|das|den|dem|des|meine?[nmrs]?|el|la|los|las|una?|mi)'
const word = "[\\p{L}\\p{N}_][\\p{L}\\p{N}_.+#'-]{0,60}"
const phrase = `(?:${article} )?(?!(?:differences?|meaning|definition|unterschied|bedeutung|diferencia|significado)\\b)(${word}(?: ${word}){0,3})`

/** Forms of questions that ask what something is, or compare things. */
const definitions = [
  `^(?:and |so )?(?:what(?: is| are|'?s)|who is|define|explain|was (?:ist|sind)|erkl[aä]re?|qu[eé] (?:es|son)|explica) ${phrase}$`,
  `^what does ${phrase} (?:mean|stand for)$`,
  `^was (?:bedeutet|heißt) ${phrase}$`,
  `^qu[eé] significa ${phrase}$`,
  `(?:meaning|definition|bedeutung|significado) (?:of|von|de) ${phrase}$`,
  `(?:differences?|unterschied|diferencia) (?:between|zwischen|entre) ${phrase} (?:and|und|y) ${phrase}$`,
  `how (?:does|do) ${phrase} compare (?:to|with) ${phrase}$`,
  `(?:^| )${phrase} (?:vs\\.?|versus) ${phrase}$`,
].map((form) => new RegExp(form, 'iu'))

/** Where, or with which program, something is done: the end of a question. */
const place = new RegExp(` (?:in|on|for|using|with|from|auf|unter|mit|für|en|con|para) (?:${article} )?(${word}(?: ${word})?)$`, 'iu')
const reference = /(?:^|[^\p{L}\p{N}])(?:it|its|this)(?![\p{L}\p{N}])/iu

/** What a question is about, as far as its form says so. */
export interface Subjects {
  /** Phrases that are to be defined or compared. */
  readonly defined: readonly string[]
  /** Phrases that name a place or a program: `on Windows`. */
  readonly placed: readonly string[]
  /** Whether the question refers to something without naming it: what the index is about. */
  readonly refers: boolean
}

/** Reads the subjects of a question in English, German or Spanish. */
export function subjectsOf(question: string): Subjects {
  const clauses = question
    .slice(0, longest)
    .split(/[?!¿¡,;:()"\n]|\.(?:\s|$)/)
    .map((clause) => clause.trim().replaceAll(/\s+/g, ' '))
  const defined = clauses.flatMap((clause) => definitions.flatMap((form) => form.exec(clause)?.slice(1) ?? []))
  const placed = clauses.flatMap((clause) => place.exec(clause)?.[1] ?? [])
  return { defined, placed, refers: reference.test(question.slice(0, longest)) }
}
