import { contentText } from '@stickler/core/runners'
import type { PipelineDefinition } from '../definition.ts'
import type { QueryType } from '../query-type.ts'
import type { PipelineState } from '../state.ts'

/** What the rules decided. */
export interface Classified {
  readonly type: QueryType
  readonly by: 'rule' | 'default'
}

type Asked = Pick<PipelineState, 'query' | 'history'>

/** Whether a prompt is one that the platform itself sends (RC-01): the query, or the first message of the system. */
export function isPlatformPrompt({ query, history }: Asked, { platformPrefix }: PipelineDefinition): boolean {
  const [first] = history
  const texts = [query, ...(first?.role === 'system' ? [contentText(first.content)] : [])]
  return texts.some((text) => text.trimStart().slice(0, platformPrefix.length).toLowerCase() === platformPrefix)
}

/** Decides by rules; what none of them knows is looked up, which is the safe default. */
export function classifyByRules(_asked: Asked, _definition: PipelineDefinition): Classified {
  return { type: 'RETRIEVAL', by: 'default' }
}
