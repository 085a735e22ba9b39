import { randomUUID } from 'node:crypto'
import type { AskReply } from '@stickler/ask'
import { type AskStep, leftReply } from '@stickler/ask/internal'
import type { Clock, ModelEvent, Runner } from '@stickler/core'
import { priced, Stop, systemClock } from '@stickler/core/internal'
import type { ModelParameters, Price } from '@stickler/core/internal/apis'
import { type ScriptedRunner, type ScriptedTurn, scripted } from '@stickler/core/testing'
import { type AuditRow, type CostLimits, capabilitiesOf, readCostLimits } from '@stickler/presets/internal'
import type { BudgetLedger } from '../../../records/store/budgets/budget-ledger.ts'
import type { AnswerCache } from '../../../records/store/keyed-entries.ts'
import { KeyBudgets } from '../../../requests/budgets/key-budgets.ts'
import type { RouteDependencies } from '../../../requests/request-ports.ts'
import { runnerUpstream } from '../../../upstreams/kinds/runner-upstream.ts'
import { lastFrame, stepFrame } from '../ask-route.ts'
import type { AskTarget, AskTargetPipeline, AskTargets } from '../ask-targets.ts'
import { Question } from '../question.ts'
import type { ReadRequest } from '../read-request.ts'

/** What a call is made with. */
export type Knobs = ModelParameters & { readonly model: string }

/** A provider that plays a runner. */
export interface TestProvider extends Partial<Pick<AskTarget, 'alias' | 'models'>> {
  readonly name: string
  readonly model: string
  readonly runner: Runner | ((knobs: Knobs) => Runner)
  readonly price?: Price
}

/** How questions are answered; everything is in memory when absent. */
export interface TestQuestions extends Partial<Pick<AskTargets, 'caching' | 'keep' | 'audit' | 'answers'>> {
  readonly providers?: readonly TestProvider[]
  readonly name?: string
  readonly limits?: Partial<CostLimits>
  readonly ledger?: BudgetLedger
  readonly clock?: Clock
  readonly today?: () => number
  readonly pipeline?: Pick<AskTargetPipeline, 'prepare' | 'ports'>
}

/** Two sources that tests ask about. */
export const sources = [
  { urn: 'urn:a', payload: 'Pricing drove churn.' },
  { urn: 'urn:b', payload: '{"k":"v"}' },
]

/** A question over them. */
export const request = { question: 'What drove churn?', sources }

/** What a call of the scripted provider costs. */
export const usage = { promptTokens: 10, completionTokens: 5, cost: 0.25 }

/** Questions whose provider plays a script, with its calls and what is audited. */
export function questions(turns: readonly (string | ScriptedTurn)[], settings: TestQuestions = {}) {
  const { name = 'openai', clock = systemClock, today = () => 0, limits, ledger = memoryLedger(), pipeline } = settings
  const runner: ScriptedRunner = scripted(turns, settings.clock ? { clock } : {})
  const { providers = [{ name, model: 'm', runner }] } = settings
  const rows: AuditRow[] = []
  const targets: AskTargets = {
    targets: providers.map(targetOf),
    limits: readCostLimits(limits ?? {}),
    caching: settings.caching ?? { enabled: false },
    keep: settings.keep ?? {},
    audit: settings.audit ?? (async (row) => void rows.push(row)),
    answers: settings.answers ?? memoryAnswers(today),
    ...(pipeline && { pipeline: { name: 'avap', chunks: 8, helpers: {}, dearest: undefined as never, ...pipeline } }),
  }
  async function* open(asked: Partial<ReadRequest>, streaming: boolean): AsyncGenerator<AskStep, AskReply> {
    const { tenant = '', user, signal = new Stop(), ...wish } = asked
    const caller = {
      requestId: 'r',
      identity: { key: tenant, role: 'client' as const },
      caller: 'c',
      signal,
      startedAt: 0,
      ending: undefined,
      headers: user === undefined ? {} : { 'x-stickler-user': user },
    }
    const question = new Question(caller, wish as ReadRequest, targets, dependencies(clock, today, ledger))
    const steps = question.answer(streaming)
    // The first one says that it is admitted.
    const first = await steps.next()
    return first.done ? first.value : yield* steps
  }
  return {
    runner,
    audit: { rows },
    async ask(asked: Partial<ReadRequest>): Promise<AskReply> {
      const steps = open(asked, false)
      for (;;) {
        const step = await steps.next()
        if (step.done) return step.value
      }
    },
    stream(asked: Partial<ReadRequest>) {
      let settle = (_reply: AskReply): void => {}
      const reply = new Promise<AskReply>((resolve) => {
        settle = resolve
      })
      async function* read(): AsyncGenerator<string, void> {
        const steps = open(asked, true)
        let left: AskReply = leftReply
        try {
          let step = await steps.next()
          for (; !step.done; step = await steps.next()) if (typeof step.value === 'string') yield step.value
          left = step.value
        } finally {
          await steps.return(leftReply)
          settle(left)
        }
      }
      return { reply, [Symbol.asyncIterator]: read }
    },
    async *frames(asked: Partial<ReadRequest>): AsyncGenerator<string, AskReply> {
      const steps = open(asked, true)
      try {
        let step = await steps.next()
        for (; !step.done; step = await steps.next()) yield stepFrame(step.value)
        yield lastFrame(step.value)
        return step.value
      } finally {
        await steps.return(leftReply)
      }
    },
  }
}

function dependencies(clock: Clock, today: () => number, ledger: BudgetLedger): RouteDependencies {
  const ignored = () => {}
  const budgets = new KeyBudgets({ ledger, clock, today, newId: randomUUID, limits: () => ({}), deadlineMs: () => 60_000 })
  return {
    recorder: { run: ignored },
    observe: ignored,
    attemptFailed: ignored,
    clock,
    today,
    newRunId: () => 'run',
    admit: () => undefined,
    holdCall: budgets.holdCall.bind(budgets),
    current: () => ({ keepText: false }),
  } as unknown as RouteDependencies
}

/** A target that plays a runner. */
export function targetOf({ name, alias = name, model, models = new Map(), runner, price }: TestProvider): AskTarget {
  const upstream = runnerUpstream(alias, {} as Runner)
  return {
    name,
    alias,
    model,
    models,
    capabilities: capabilitiesOf(name),
    ...(price && { price }),
    upstream: {
      ...upstream,
      call(request, options) {
        const made = typeof runner === 'function' ? runner({ ...options.parameters, model: request.model }) : runner
        const known = models.get(request.model) ?? price
        return runnerUpstream(alias, known === undefined ? made : pricedRunner(made, known)).call(request, options)
      },
    },
  }
}

/** Adds the price of what was used, as upstreams do. */
function pricedRunner(runner: Runner, price: Price): Runner {
  async function* events(inner: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent, undefined> {
    for await (const event of inner)
      yield event.type === 'end' && event.usage && event.usage.cost === undefined ? { ...event, usage: priced(event.usage, price) } : event
  }
  return { ...runner, run: (...call) => events(runner.run(...call)), continue: (...call) => events(runner.continue(...call)) }
}

/** Keeps answers in memory. */
export function memoryAnswers(now: () => number): AnswerCache {
  const kept = new Map<string, { readonly value: unknown; readonly expires: number }>()
  return {
    async get(key) {
      const found = kept.get(key)
      return found !== undefined && now() < found.expires ? found.value : undefined
    },
    set: async (key, value, ttlSeconds) => void kept.set(key, { value, expires: now() + ttlSeconds * 1000 }),
  }
}

/** Keeps what is spent in memory; `spent` is in dollars. */
export function memoryLedger(): BudgetLedger & { spent(key?: string): number } {
  const days = new Map<string, { spent: number; held: number }>()
  const holds = new Map<string, { readonly key: string; readonly nanoUsd: number }>()
  const dayOf = (key: string) => days.get(key) ?? { spent: 0, held: 0 }
  return {
    async hold({ id, key: name, day, most }, { nanoUsd: cap = Number.POSITIVE_INFINITY }) {
      const key = `${name} ${day}`
      const { spent, held } = dayOf(key)
      if (spent + held + most.nanoUsd > cap) return { spent: { tokens: 0, nanoUsd: spent }, held: { tokens: 0, nanoUsd: held } }
      days.set(key, { spent, held: held + most.nanoUsd })
      holds.set(id, { key, nanoUsd: most.nanoUsd })
      return undefined
    },
    async settle(id, { nanoUsd }) {
      const hold = holds.get(id)
      if (hold === undefined) return
      holds.delete(id)
      const { spent, held } = dayOf(hold.key)
      days.set(hold.key, { spent: spent + nanoUsd, held: held - hold.nanoUsd })
    },
    risk: async () => {},
    reclaim: async () => false,
    spent: (key = 'ask: 0') => dayOf(key).spent / 1e9,
  }
}
