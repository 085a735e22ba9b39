import { type CallOptions, type ModelEvent, type ModelEvents, type Runner, RunnerFailure, type Usage } from '@stickler/core'
import { type Price, priced } from '@stickler/core/internal'
import { digest } from '../judging/contract-identity.ts'
import type { CallJournal } from './call-journal.ts'

/** What calls of models may cost together. */
export class Budget {
  readonly #most: number | undefined
  #spent = 0
  /** Whether a call was not made because of it. */
  isSpent = false

  constructor(most: number | undefined) {
    this.#most = most
  }

  get spent(): number {
    return this.#spent
  }

  /** Whether another call may be made. */
  allows(): boolean {
    const isAllowed = this.#most === undefined || this.#spent < this.#most
    if (!isAllowed) this.isSpent = true
    return isAllowed
  }

  /** Counts a call; one whose price is not known spends all that is left. */
  add(cost: number | undefined): void {
    this.#spent += cost ?? (this.#most === undefined ? 0 : Number.POSITIVE_INFINITY)
  }
}

/** What the calls of one run have in common. */
interface PaidCalls {
  readonly journal: CallJournal
  readonly budget: Budget
  readonly price: Price | undefined
  /** Identifies the model, and the repetition: each repetition asks anew. */
  readonly identity: readonly unknown[]
}

/** Calls a model only for what the journal does not know, and keeps every answer before anything else happens. */
export function paidRunner(runner: Runner, { journal, budget, price, identity }: PaidCalls): Runner {
  let calls = 0
  const ask = (asked: readonly unknown[], call: () => ModelEvents): ModelEvents =>
    keyed(digest(JSON.stringify([...identity, calls++, ...asked])), call)
  async function* keyed(key: string, call: () => ModelEvents): AsyncGenerator<ModelEvent> {
    const known = journal.find(key)
    if (known !== undefined) {
      budget.add(costOf(known))
      yield* known
      return
    }
    if (!budget.allows()) throw new RunnerFailure('aborted', 'the budget of the evaluation is spent')
    const events: ModelEvent[] = []
    try {
      for await (const event of call()) events.push(event.type === 'end' ? withCost(event, price) : event)
    } catch (error) {
      // What a provider cut off or wrote wrongly, it charges for.
      if (events.length > 0 || !isFree(error)) budget.add(costOf(events))
      throw error
    }
    journal.add(key, events)
    budget.add(costOf(events))
    yield* events
  }
  const format = ({ format: wanted }: CallOptions): unknown => wanted?.text
  return {
    takesSchema: runner.takesSchema,
    ownSchema: runner.ownSchema,
    run: (session, prompt, options) => ask(['run', prompt, format(options)], () => runner.run(session, prompt, options)),
    continue: (session, feedback, options) =>
      ask(['continue', options.original, options.rejected, feedback, format(options), options.rejectedCalls?.calls], () =>
        runner.continue(session, feedback, options),
      ),
  }
}

/** How a call fails before it has left, or before it has reached the provider. */
const unsent =
  /^(?:circuit_open|busy|not_started|ECONNREFUSED|ENOTFOUND|EAI_[A-Z]+|E(?:HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT|CERT_[A-Z_]+)$/

/** Whether no model can have worked on a call that failed. */
function isFree(error: unknown): boolean {
  return error instanceof RunnerFailure && (error.kind === 'http' || unsent.test(error.details.code ?? ''))
}

type End = Extract<ModelEvent, { type: 'end' }>

function withCost(event: End, price: Price | undefined): End {
  const { usage } = event
  return usage === undefined || usage.cost !== undefined ? event : { ...event, usage: priced(usage, price) }
}

function costOf(events: readonly ModelEvent[]): number | undefined {
  const end = events.find((event): event is End => event.type === 'end')
  return (end?.usage as Usage | undefined)?.cost
}
