import { type Failure, type Issue, type Outcome, writeToolCalls } from '@stickler/core'
import type { FinalChoice, Verdict } from '@stickler/core/internal'
import type { Mutable } from '../../mutable.ts'
import type { Choice } from '../../requests/choice.ts'
import type { Target } from '../../requests/target.ts'
import { reasoningSecrets, shownFields } from '../relay/reasoning-secrets.ts'
import { annotationsOf } from './annotations.ts'
import { linkIssues, passedFields } from './sound-links.ts'

/** A choice as delivered: the provider's own message, with the accepted text and tool calls. */
export function finalChoice(choice: Choice, outcome: Outcome, target: Target): FinalChoice {
  const { index, options, answering } = choice
  const end = answering?.end
  const { text, toolCalls } = outcome
  const annotations = annotationsOf(outcome, options.contract.declared, options.context?.sources)
  const isUntouched = outcome.attempts === 1 && outcome.repairs.length === 0
  const given = end?.message ?? { role: 'assistant' }
  const secrets = reasoningSecrets(target)
  const passed = passedFields(isUntouched ? given : rewritten(given, outcome), target)
  const message = secrets?.without(passed) ?? passed
  const notes = linkIssues([given, end?.fields, answering?.call.head().fields], end?.references ?? [], target)
  const madeCalls = toolCalls.length > 0 && (end?.toolCalls.length ?? 0) === 0
  return {
    index,
    text,
    toolCalls,
    finishReason: madeCalls ? 'tool_calls' : (end?.finishReason ?? null),
    ...(end?.wire === undefined || madeCalls ? {} : { wire: end.wire }),
    message: annotations.length === 0 ? message : { ...message, annotations },
    fields: shownFields(isUntouched ? (end?.fields ?? {}) : withoutLogprobs(end?.fields ?? {}), target),
    verdict: verdictOf(outcome, target, message === passed ? notes : [...notes, ...(secrets?.notes ?? [])]),
  }
}

/** What is reported about an answer. */
export function verdictOf(outcome: Outcome, { contractName }: Target, further: readonly Issue[]): Verdict {
  const { status, attempts, fixed, repairs, unchecked, failure, validationStatus } = outcome
  const issues = further.length === 0 ? outcome.issues : [...outcome.issues, ...further]
  const told = contractName === '' ? 'unenforced' : status
  const names = unchecked.map(({ validator }) => validator)
  const verdict: Mutable<Verdict> = { status: told, contract: contractName, attempts, issues, fixed, repairs, unchecked: names }
  if (failure !== undefined) verdict.failure = failureOf(failure)
  if (validationStatus !== undefined) verdict.validationStatus = validationStatus
  return verdict
}

/** Not the message: a provider's may repeat the request. */
function failureOf({ kind, status }: Failure): NonNullable<Verdict['failure']> {
  return status === undefined ? { kind } : { kind, status }
}

function rewritten(given: Readonly<Record<string, unknown>>, { text, toolCalls }: Outcome): Readonly<Record<string, unknown>> {
  const message = { ...given, content: text === '' && toolCalls.length > 0 ? null : text }
  return writeToolCalls(message, toolCalls) as Readonly<Record<string, unknown>>
}

/** Log probabilities do not apply to a text that is assembled or repaired. */
function withoutLogprobs({ logprobs: _logprobs, ...fields }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return fields
}
