import { buildContract, type Contract } from '../../contract/contract.ts'
import type { Clock } from '../../contract/ports.ts'
import { reddb } from '../../contract/presets/reddb.ts'
import { check } from '../../engine/check.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import type { Executor } from '../../engine/executor.ts'
import type { Outcome } from '../../engine/outcome.ts'
import type { EnforceOptions } from '../../engine/run-state.ts'
import type { TraceListener } from '../../engine/trace.ts'
import { citations } from '../../validators/citations/index.ts'
import type { AskMode } from './envelope.ts'
import type { GuardedRunner } from './guarded-runner.ts'
import type { Question } from './question.ts'

/** What a run of the engine is given beside the question. */
export interface RunSettings {
  readonly mode: AskMode
  readonly runner: GuardedRunner
  readonly stream: 'live' | 'held' | 'none'
  readonly clock: Clock
  readonly onEvent?: TraceListener | undefined
  readonly executor?: Executor | undefined
}

/** The contract of a question: strict with exactly one retry, or lenient with none. */
export function askContract(mode: AskMode, live: boolean, deadlineMs: number): Contract {
  const budget = { deadlineMs: Math.max(1, Math.ceil(deadlineMs)) }
  const policy = { mode, retries: mode === 'strict' ? 1 : 0, stream: live ? 'verified' : 'hold', budget } as const
  return buildContract({ preset: 'reddb', ...policy }, { validators: [citations], presets: { reddb } })
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
  const contract = askContract('strict', false, question.limits.timeMs)
  const { issues, unchecked } = await check(contract, text, { context: { sources: question.request.sources.length }, executor })
  return issues.length === 0 && unchecked.length === 0
}
