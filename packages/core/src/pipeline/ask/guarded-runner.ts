import type { CallOptions, ContinueOptions, ModelEvent, Prompt, Runner, Usage } from '../../engine/runner.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import type { CostVerdict } from './cost-guard.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { utf8Length } from './utf8-length.ts'

/** A limit that was passed. */
export type Breach = Extract<CostVerdict, { allowed: false }>

/** What one call has used so far. */
export interface CallTokens {
  readonly promptTokens: number
  readonly completionTokens: number
}

/** Judges what a call uses. */
export interface Guard {
  /** Before a call, with its estimated prompt. */
  before(tokens: CallTokens): Promise<CostVerdict>
  /** While its text comes, with an estimate of it. */
  during(tokens: CallTokens): CostVerdict
  /** At its end, with the provider's own figures where it gives them; counts what it cost. */
  after(tokens: CallTokens, usage: Usage | undefined): Promise<CostVerdict>
}

/** A runner whose calls are each guarded before, during and after; a breach ends the run. */
export class GuardedRunner implements Runner {
  breach: Breach | undefined
  readonly #inner: Runner
  readonly #guard: Guard

  constructor(inner: Runner, guard: Guard) {
    this.#inner = inner
    this.#guard = guard
  }

  run(session: string | undefined, prompt: Prompt, options: CallOptions): AsyncIterable<ModelEvent> {
    return this.#watch(promptTokens(prompt), () => this.#inner.run(session, prompt, options))
  }

  continue(session: string | undefined, feedback: string, options: ContinueOptions): AsyncIterable<ModelEvent> {
    const tokens = promptTokens(options.original) + estimateTokens(options.rejected) + estimateTokens(feedback)
    return this.#watch(tokens, () => this.#inner.continue(session, feedback, options))
  }

  async *#watch(promptTokens: number, call: () => AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
    this.#stopAt(await this.#guard.before({ promptTokens, completionTokens: 0 }))
    let bytes = 0
    for await (const event of call()) {
      if (event.type === 'text') {
        bytes += utf8Length(event.text)
        this.#stopAt(this.#guard.during({ promptTokens, completionTokens: Math.ceil(bytes / 4) }))
      } else {
        const { usage } = event
        const completionTokens = usage?.completionTokens ?? Math.ceil(bytes / 4)
        this.#stopAt(await this.#guard.after({ promptTokens: usage?.promptTokens ?? promptTokens, completionTokens }, usage))
      }
      yield event
    }
  }

  #stopAt(verdict: CostVerdict): void {
    if (verdict.allowed) return
    this.breach = verdict
    throw new RunnerFailure('aborted', verdict.detail)
  }
}

/** An estimate of what a prompt costs. */
export function promptTokens(prompt: Prompt): number {
  if (typeof prompt === 'string') return estimateTokens(prompt)
  return prompt.reduce((sum, { content }) => sum + estimateTokens(typeof content === 'string' ? content : JSON.stringify(content ?? '')), 0)
}
