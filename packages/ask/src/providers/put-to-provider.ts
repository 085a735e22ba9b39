import { type Clock, check, type EnforceOptions, enforce, enforceStream, type Outcome, type TraceListener } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { Question } from '../question/question.ts'
import type { AskMode } from '../reply/envelope.ts'
import { askContract } from './ask-contract.ts'
import type { GuardedRunner } from './guarded-runner.ts'

/** What a run of the engine is given beside the question. */
export interface RunSettings {
  readonly mode: AskMode
  readonly runner: GuardedRunner
  readonly stream: 'live' | 'held' | 'none'
  readonly clock: Clock
  readonly onEvent?: TraceListener | undefined
  readonly executor?: Executor | undefined
}

/** Asks until the citations are right; yields the text that may be shown. */
export async function* putToProvider(question: Question, settings: RunSettings): AsyncGenerator<string, Outcome> {
  const { mode, runner, stream, clock, onEvent, executor } = settings
  const { request, prompt, limits } = question
  const options: EnforceOptions = {
    contract: askContract(mode, stream === 'live', limits.timeMs - question.elapsed()),
    runner,
    prompt,
    context: { sources: request.sources.length },
    clock,
    executor,
    ...(request.signal ? { signal: request.signal } : {}),
    ...(onEvent ? { onEvent } : {}),
  }
  if (stream === 'none') return await enforce(options)
  const enforced = enforceStream(options)
  yield* enforced
  return await enforced.outcome
}

/** Whether an answer that was kept is still right for these sources. */
export async function isStillValid(text: string, question: Question, executor?: Executor): Promise<boolean> {
  const strict = askContract('strict', false, question.limits.timeMs)
  const { issues, unchecked } = await check(strict, text, { context: { sources: question.request.sources.length }, executor })
  return issues.length === 0 && unchecked.length === 0
}
