import { distinct, queryWords } from '../../retrieval/query-words.ts'
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

/**
 * A broader wording of a query, without a model: identifiers are split, narrowing
 * words are removed. Differs from the query whenever possible.
 */
export function broadened(query: string): string {
  const words = queryWords(query)
  const content = words.filter(({ isContent, plain }) => isContent && !narrowing.has(plain) && !/^v?\d+$/.test(plain))
  const kept = content.length > 0 ? content : words
  const parts = kept.flatMap(({ written }) => partsOf(written))
  const broader = distinct(parts).slice(0, mostWords).join(' ')
  if (broader === '') return query
  return broader.toLowerCase() === query.trim().toLowerCase() ? `${broader} documentation guide` : broader
}

/** The parts of an identifier, and the whole. */
function partsOf(word: string): readonly string[] {
  const pieces = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).filter((piece) => piece.length > 1)
  return pieces.length > 1 ? [...pieces, word] : [word]
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
