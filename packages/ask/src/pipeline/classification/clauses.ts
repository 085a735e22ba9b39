/** How much of a query the rules read. */
const longest = 4000
const mostClauses = 40
const mostWords = 80

/** A query as the rules read it. */
export interface Read {
  /** Parts between punctuation, outside of fenced code: words in small letters without accents, one space between them. */
  readonly clauses: readonly string[]
  readonly hasCode: boolean
}

/** Reads the clauses of a query; apostrophes separate words (`don t`), underscores do not. */
export function readClauses(query: string): Read {
  const parts = query.slice(0, longest).split('```')
  // Every second part is fenced code; an open fence reaches to the end.
  const prose = parts.filter((_, index) => index % 2 === 0).join('\n')
  const clauses = prose
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[.!?¿¡;:,\n\r()…]/u)
    .map((clause) => (clause.match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, mostWords).join(' '))
    .filter((clause) => clause !== '')
    .slice(0, mostClauses)
  return { clauses, hasCode: parts.length > 1 }
}
