import {
  type Clock,
  type Contract,
  check,
  type EnforceOptions,
  enforce,
  enforceStream,
  type Outcome,
  type Prompt,
  type TraceListener,
} from '@stickler/core'
import type { AskMode } from '@stickler/presets/internal'
import type { Question } from '../question/question.ts'
import type { GuardedRunner } from './guarded-runner.ts'

/** The answers to a question that were rejected before the next provider is asked. */
export interface JudgedSoFar {
  readonly answers: number
  /** The prompt with the feedback on the last of them. */
  readonly prompt?: Prompt
}

/** What a run of the engine is given beside the question. */
interface RunSettings {
  readonly mode: AskMode
  readonly runner: GuardedRunner
  readonly stream: 'live' | 'held' | 'none'
  readonly clock: Clock
  readonly onEvent?: TraceListener | undefined
  readonly judged: JudgedSoFar
}

/** Retries until the contract is met, or no attempt is left; yields released text. */
export async function* putToProvider(question: Question, settings: RunSettings): AsyncGenerator<string, Outcome> {
  const { mode, runner, stream, clock, onEvent, judged } = settings
  const { request, prompt, rules, sources, limits } = question
  const options: EnforceOptions = {
    contract: withoutSpent(rules.contract(mode, stream === 'live', limits.timeMs - question.elapsed()), judged.answers),
    runner,
    prompt: judged.prompt ?? prompt,
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

/** The same contract with the retries that are left. */
function withoutSpent(contract: Contract, answers: number): Contract {
  if (answers === 0) return contract
  const { retries, budget } = contract.policy
  const left = budget.attempts === undefined ? {} : { attempts: Math.max(1, budget.attempts - answers) }
  return { ...contract, policy: { ...contract.policy, retries: Math.max(0, retries - answers), budget: { ...budget, ...left } } }
}

/** Whether a cached answer is still valid for these sources. */
export async function isStillValid(text: string, { rules, sources, limits }: Question): Promise<boolean> {
  const { executor, ports } = rules
  const options = { context: { sources: sources.length }, executor, ...(ports ? { ports } : {}) }
  const { issues, unchecked } = await check(rules.contract('strict', false, limits.timeMs), text, options)
  return issues.length === 0 && unchecked.length === 0
}
