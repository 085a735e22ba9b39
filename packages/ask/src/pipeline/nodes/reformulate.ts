import type { Message } from '@stickler/core'
import { contentText } from '@stickler/core/internal'
import { distinct, type QueryWord, queryWords } from '../../retrieval/query-words.ts'
import type { Needs } from '../options.ts'
import { reformulateByModel } from '../reformulation/model.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

const mostTerms = 8
const mostIdentifiers = 4
const readTurns = 3

const connectives = new Set('and but so or also und aber oder y pero e ni'.split(' '))
const pronouns = new Set(
  'that this it they them those these one ones das dies dieser diese dieses diesem diesen es sie ihn davon damit dabei dafur dazu darin eso esto ello ese esa esos esas lo aquello'.split(
    ' ',
  ),
)

/**
 * The query in a form that can be searched without the conversation: a follow-up gets the subject
 * words of the previous turns.
 */
export function standalone(query: string, history: readonly Message[]): string {
  const asked = queryWords(query)
  if (!history.some(({ role }) => role === 'user') || !isFollowUp(asked)) return query
  const own = new Set(asked.map(({ plain }) => plain))
  const added = distinct(topicOf(history)).filter((word) => !own.has(word.toLowerCase()))
  return added.length === 0 ? query : `${query.trimEnd()} ${added.join(' ')}`
}

/** Whether words refer to something said before. */
function isFollowUp(words: readonly QueryWord[]): boolean {
  const content = words.filter(({ isContent }) => isContent).length
  if (content === 0) return true
  if (connectives.has(words[0]?.plain ?? '')) return content <= 5
  const pronoun = words.findIndex(({ plain }) => pronouns.has(plain))
  const firstContent = words.findIndex(({ isContent }) => isContent)
  // After a noun of the query itself, a pronoun mostly refers to that noun, except at the very end.
  return content <= 3 && pronoun >= 0 && (pronoun < firstContent || pronoun === words.length - 1)
}

/** The subject of the last turns: the user's questions, and the identifiers of the answer. */
function topicOf(history: readonly Message[]): readonly string[] {
  const turns = history.slice(-2 * readTurns)
  const questions = turns
    .filter(({ role }) => role === 'user')
    .map(({ content }) => queryWords(contentText(content)))
    .reverse()
  const topic: string[] = []
  for (const words of questions) {
    topic.push(...words.filter(({ isContent }) => isContent).map(({ written }) => written))
    // A self-contained question describes the whole subject.
    if (!isFollowUp(words)) break
  }
  const answer = turns.findLast(({ role }) => role === 'assistant')
  const named = queryWords(contentText(answer?.content)).map(({ written }) => written)
  const identifiers = distinct(named.filter((word) => /[a-z\d][A-Z]|_\w/.test(word)))
  return [...topic.slice(0, mostTerms), ...identifiers.slice(0, mostIdentifiers)]
}

/** Rewrites the query for search: a follow-up is completed from the previous turns. */
export async function reformulate(
  state: PipelineState,
  needs: Needs,
  signal: AbortSignal | undefined,
): Promise<Step<{ readonly search: string }>> {
  const own = standalone(state.query, state.history)
  if (needs.reformulation === undefined) return { change: { search: own }, detail: { query: own } }
  const { query = own, degraded } = await reformulateByModel('first', state, { ...needs, model: needs.reformulation, signal })
  return { change: { search: query }, detail: { query, ...degradedBy(degraded) } }
}
