import { contentText } from '@stickler/core/internal'
import type { PipelineDefinition } from '@stickler/presets/internal'
import type { QueryType } from '../../reply/query-type.ts'
import type { PipelineState } from '../state.ts'
import { asksForCode, isQuestion } from './code-request.ts'
import { isConversation } from './conversation.ts'
import { asksAboutPlatform } from './platform.ts'

/** How much of a query the rules read. */
const longest = 4000
const mostClauses = 40
const mostWords = 80

/** A query as the rules read it. */
interface Read {
  /** Parts between punctuation, outside of fenced code: words in small letters without accents, one space between them. */
  readonly clauses: readonly string[]
  readonly hasCode: boolean
}

/** Reads the clauses of a query; apostrophes separate words (`don t`), underscores do not. */
function readClauses(query: string): Read {
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

/** What the rules decided; `default` when none of them applied. */
interface Classified {
  readonly type: QueryType
  readonly by: 'rule' | 'default'
}

/** Whether a prompt is one that the platform itself sends (RC-01): the query, or the first message of the system. */
export function isPlatformPrompt(
  { query, history }: Pick<PipelineState, 'query' | 'history'>,
  { platformPrefix }: Pick<PipelineDefinition, 'platformPrefix'>,
): boolean {
  const [first] = history
  const texts = [query, ...(first?.role === 'system' ? [contentText(first.content)] : [])]
  return texts.some((text) => text.trimStart().slice(0, platformPrefix.length).toLowerCase() === platformPrefix)
}

/** Decides by rules; the safe default is retrieval. */
export function classifyByRules(query: string, { language }: Pick<PipelineDefinition, 'language'>): Classified {
  const { clauses, hasCode } = readClauses(query)
  const wantsCode = clauses.some((clause) => asksForCode(clause, language.fence))
  if (!wantsCode && asksAboutPlatform(clauses, language.fence)) return { type: 'PLATFORM', by: 'rule' }
  // Code without a question about it is code to complete or correct.
  if (wantsCode || (hasCode && !clauses.some(isQuestion))) return { type: 'CODE_GENERATION', by: 'rule' }
  return isConversation(clauses) ? { type: 'CONVERSATIONAL', by: 'rule' } : { type: 'RETRIEVAL', by: 'default' }
}
