import { type Clock, check, type EnforceOptions, enforce, enforceStream, type Outcome, type TraceListener } from '@stickler/core'
import type { Question } from '../question/question.ts'
import type { AskMode } from '../reply/envelope.ts'
import type { GuardedRunner } from './guarded-runner.ts'

/** What a run of the engine is given beside the question. */
export interface RunSettings {
  readonly mode: AskMode
  readonly runner: GuardedRunner
  readonly stream: 'live' | 'held' | 'none'
  readonly clock: Clock
  readonly onEvent?: TraceListener | undefined
}

/** Retries until the contract is met, or no attempt is left; yields released text. */
export async function* putToProvider(question: Question, settings: RunSettings): AsyncGenerator<string, Outcome> {
  const { mode, runner, stream, clock, onEvent } = settings
  const { request, prompt, rules, sources, limits } = question
  const options: EnforceOptions = {
    contract: rules.contract(mode, stream === 'live', limits.timeMs - question.elapsed()),
    runner,
    prompt,
    context: { sources: sources.length },
    clock,
    executor: rules.executor,
    ...(rules.ports ? { ports: rules.ports } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
    ...(onEvent ? { onEvent } : {}),
  }
  if (stream === 'none') return await enforce(options)
  const enforced = enforceStream(options)
  yield* enforced
  return await enforced.outcome
}

/** Whether a cached answer is still valid for these sources. */
export async function isStillValid(text: string, { rules, sources, limits }: Question): Promise<boolean> {
  const { executor, ports } = rules
  const options = { context: { sources: sources.length }, executor, ...(ports ? { ports } : {}) }
  const { issues, unchecked } = await check(rules.contract('strict', false, limits.timeMs), text, options)
  return issues.length === 0 && unchecked.length === 0
}
