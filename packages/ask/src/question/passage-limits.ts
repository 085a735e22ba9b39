import type { Message } from '@stickler/core'
import { promptTokens, utf8Length } from '@stickler/core/internal'
import type { AskSource } from '../reply/envelope.ts'
import { type AskRefused, limitReply } from '../reply/reply.ts'
import { type CostLimits, freshDay, guardCost } from '../spending/cost-guard.ts'
import { askPrompt } from './prompt.ts'
import type { AskRequest } from './request.ts'

/**
 * The share of the remaining tokens for passages: a retry sends the answer too, and providers may
 * count more than the estimate.
 */
const passagesShare = 0.75

/**
 * The rejection of a request whose question, turns and own sources alone are too large for a
 * prompt.
 */
export function promptExcess(request: AskRequest, limits: CostLimits): AskRefused | undefined {
  const usage = { promptTokens: leastTokens(request), completionTokens: 0, sourcesBytes: 0, elapsedMs: 0 }
  const verdict = guardCost(usage, freshDay(0), limits, 0)
  return verdict.allowed ? undefined : limitReply(verdict)
}

/** Returns whether retrieved passages leave a prompt within the limits. */
export function passagesFit(
  request: AskRequest,
  limits: CostLimits,
): (prompt: readonly Message[], sources: readonly AskSource[]) => boolean {
  const least = leastTokens(request)
  const mostTokens = least + (limits.promptTokens - least) * passagesShare
  return (prompt, sources) => {
    const bytes = sources.map(({ payload }) => utf8Length(payload))
    return (
      sources.length <= limits.sources &&
      bytes.every((one) => one <= limits.sourceBytes) &&
      bytes.reduce((sum, one) => sum + one, 0) <= limits.sourcesBytes &&
      promptTokens(prompt) <= mostTokens
    )
  }
}

/** Tokens of a prompt without its rules, which differ by type. */
function leastTokens({ question, history = [], sources = [] }: AskRequest): number {
  const asked = askPrompt(question, sources).filter(({ role }) => role !== 'system')
  return promptTokens([...history, ...asked])
}
