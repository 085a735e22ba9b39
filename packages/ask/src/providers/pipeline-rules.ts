import type { Contract } from '@stickler/core'
import type { Prepared } from '../pipeline/prepared.ts'
import type { AnswerRules } from '../question/question-parts.ts'
import type { AskPipeline } from './ask-pipeline.ts'

/** How answers to a prepared question are checked against the contract of its type. */
export function pipelineRules(
  { contract, type }: Pick<Prepared, 'contract' | 'type'>,
  { ports, executor }: Pick<AskPipeline, 'ports' | 'executor'>,
): AnswerRules {
  return {
    cites: type === 'RETRIEVAL',
    ...(ports ? { ports } : {}),
    ...(executor ? { executor } : {}),
    contract: (mode, live, deadlineMs): Contract => {
      const { policy } = contract
      const budget = { ...policy.budget, deadlineMs: Math.max(1, Math.ceil(deadlineMs)) }
      const lenient = mode === 'lenient' ? ({ mode, retries: 0 } as const) : {}
      return { ...contract, policy: { ...policy, ...lenient, ...(live ? {} : { stream: 'hold' }), budget } }
    },
  }
}
