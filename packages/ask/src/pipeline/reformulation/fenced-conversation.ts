import { clamp, contentText, escapeMarkup } from '@stickler/core/internal'
import type { PipelineState } from '../state.ts'

const turns = 6
const longestTurn = 1000
const longestQuery = 4000

/** The last turns and the query as elements that their content cannot close; bounded in length. */
export function fencedConversation({ query, history }: Pick<PipelineState, 'query' | 'history'>): string {
  const said = history
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .slice(-turns)
    .map(({ role, content }) => `<turn role="${role}">${fenced(contentText(content), longestTurn)}</turn>`)
  return [...said, `<query>${fenced(query, longestQuery)}</query>`].join('\n')
}

function fenced(text: string, limit: number): string {
  return escapeMarkup(clamp(text, limit))
}
