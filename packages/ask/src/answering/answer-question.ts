import {
  type Clock,
  type Contract,
  check,
  type EnforceOptions,
  enforce,
  enforceStream,
  type ModelEvent,
  type ModelEvents,
  type Outcome,
  type Prompt,
  type Runner,
  type TraceListener,
} from '@stickler/core'
import { ReasoningSkipper } from '@stickler/core/internal'
import type { AskMode } from '@stickler/presets/internal'
import { generationNodes } from '../pipeline/generation-nodes.ts'
import type { AskRequest } from '../question/request.ts'
import type { NodeTrace } from '../reply/node-trace.ts'
import type { QuestionParts } from './question-parts.ts'

/** The answers to a question that were rejected before another model is asked. */
export interface JudgedSoFar {
  readonly answers: number
  /** The prompt with the feedback on the last of them. */
  readonly prompt?: Prompt
}

/** How a question is put to a model. */
interface Answering {
  readonly mode: AskMode
  readonly runner: Runner
  /** Whether text is shown once it is safe, only the whole answer is, or nothing is streamed. */
  readonly stream: 'live' | 'held' | 'none'
  readonly timeLeftMs: number
  readonly signal?: AskRequest['signal']
  readonly clock: Clock
  readonly onEvent?: TraceListener | undefined
  readonly judged?: JudgedSoFar
}

/** What came of a question. */
export interface Answered {
  readonly outcome: Outcome
  readonly nodes: readonly NodeTrace[]
  /** Whether any text was yielded. */
  readonly isShown: boolean
}

/** Retries until the contract is met, or no attempt is left; yields text that may be shown. */
export async function* answerQuestion(parts: QuestionParts, settings: Answering): AsyncGenerator<string, Answered> {
  const { mode, runner, stream, timeLeftMs, signal, clock, onEvent, judged = { answers: 0 } } = settings
  const { prompt, rules, sources, prepared } = parts
  const nodes: NodeTrace[] = []
  const generated = prepared && generationNodes(prepared, (node) => void nodes.push(node))
  const options: EnforceOptions = {
    contract: withoutSpent(rules.contract(mode, stream === 'live', timeLeftMs), judged.answers),
    runner: answersAlone(runner),
    prompt: judged.prompt ?? prompt,
    context: { sources: sources.length },
    clock,
    executor: rules.executor,
    ...(rules.ports ? { ports: rules.ports } : {}),
    ...(signal ? { signal } : {}),
    onEvent(event) {
      generated?.(event)
      onEvent?.(event)
    },
  }
  if (stream === 'none') return { outcome: await enforce(options), nodes, isShown: false }
  const enforced = enforceStream(options)
  let isShown = false
  for await (const text of enforced) {
    if (stream === 'held') continue
    isShown = true
    yield text
  }
  return { outcome: await enforced.outcome, nodes, isShown }
}

/** The same contract with the retries that are left. */
function withoutSpent(contract: Contract, answers: number): Contract {
  if (answers === 0) return contract
  const { retries, budget } = contract.policy
  const left = budget.attempts === undefined ? {} : { attempts: Math.max(1, budget.attempts - answers) }
  return { ...contract, policy: { ...contract.policy, retries: Math.max(0, retries - answers), budget: { ...budget, ...left } } }
}

/** Whether an answer that was kept is still valid for these sources. */
export async function isStillValid(text: string, { rules, sources }: QuestionParts, deadlineMs: number): Promise<boolean> {
  const { executor, ports } = rules
  const options = { context: { sources: sources.length }, executor, ...(ports ? { ports } : {}) }
  const { issues, unchecked } = await check(rules.contract('strict', false, deadlineMs), text, options)
  return issues.length === 0 && unchecked.length === 0
}

/** A runner whose answers lack the reasoning before them, and calls, because no tools were offered. */
function answersAlone(runner: Runner): Runner {
  return {
    takesSchema: runner.takesSchema,
    ownSchema: runner.ownSchema,
    run: (session, prompt, options) => answerAlone(runner.run(session, prompt, options)),
    continue: (session, feedback, options) => answerAlone(runner.continue(session, feedback, options)),
  }
}

function answerAlone(events: ModelEvents): ModelEvents {
  const { usage } = events
  return { [Symbol.asyncIterator]: () => answerEvents(events), ...(usage && { usage: () => usage.call(events) }) }
}

async function* answerEvents(events: ModelEvents): AsyncGenerator<ModelEvent, undefined> {
  const reasoning = new ReasoningSkipper()
  let hasBegun = false
  const shown = (body: string): string => {
    const text = hasBegun || reasoning.bodyStart === 0 ? body : body.trimStart()
    hasBegun ||= text !== ''
    return text
  }
  for await (const event of events) {
    const text = shown(event.type === 'text' ? reasoning.push(event.text) : reasoning.end())
    if (text !== '') yield { type: 'text', text }
    if (event.type !== 'text') yield { ...event, toolCalls: [] }
  }
}
