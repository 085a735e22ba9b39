import { distinct, queryWords } from '../../retrieval/query-words.ts'
import { synonyms, synonymsOf } from '../../retrieval/synonyms.ts'
import type { Needs } from '../options.ts'
import { reformulateByModel } from '../reformulation/model.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

const mostWords = 40

/** Words that narrow a query without describing its subject. */
const narrowing = new Set(
  (
    'only exactly exact specific specifically particular latest newest current currently version first last best correct right proper simple simply quick quickly new old single certain main ' +
    'nur genau exakt bestimmte aktuelle neueste version erste letzte beste richtig richtige einfach einfache schnell neue alte ' +
    'exactamente exacto especifico ultima ultimo actual version primera mejor correcto simple rapido nuevo'
  ).split(' '),
)

/** Parts of German compounds that are useful search terms by themselves. */
const heads = distinct(synonyms.flat().map((word) => word.toLowerCase())).filter((word) => word.length >= 5)
const shortestFirst = 4
const longestEnding = 2

/**
 * A broader wording of a query, without a model: identifiers and compounds are split, narrowing
 * words are removed, synonyms are added. Differs from the query whenever possible.
 */
export function broadened(query: string): string {
  const words = queryWords(query)
  const content = words.filter(({ isContent, plain }) => isContent && !narrowing.has(plain) && !/^v?\d+$/.test(plain))
  const kept = content.length > 0 ? content : words
  const parts = kept.flatMap(({ written }) => partsOf(written))
  const related = distinct(parts).flatMap((part) => synonymsOf(part))
  const all = distinct([...parts, ...related]).slice(0, mostWords)
  const broader = all.join(' ')
  if (broader === '') return query
  return broader.toLowerCase() === query.trim().toLowerCase() ? `${broader} documentation guide` : broader
}

/** The parts of an identifier or a compound, and the whole. */
function partsOf(word: string): readonly string[] {
  const pieces = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((piece) => piece.length > 1)
  if (pieces.length > 1) return [...pieces, word]
  const small = word.toLowerCase()
  for (const head of heads) {
    const at = small.indexOf(head, shortestFirst)
    if (at > 0 && small.length - at - head.length <= longestEnding) return [small.slice(0, at), head, word]
  }
  return [word]
}

/**
 * Rewrites the query in broader terms, because the retrieved context is not relevant; this spends
 * the retry.
 */
export async function reformulateWithHint(
  state: PipelineState<'unspent'>,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly search: string; readonly retry: 'spent' }>> {
  const own = broadened(state.search || state.query)
  if (needs.reformulation === undefined) return { change: { search: own, retry: 'spent' }, detail: { query: own } }
  const { query = own, degraded } = await reformulateByModel('hint', state, { ...needs, model: needs.reformulation, signal })
  return { change: { search: query, retry: 'spent' }, detail: { query, ...degradedBy(degraded) } }
}
