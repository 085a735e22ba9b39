import type { Usage } from '@stickler/core'
import type { AskModel } from '@stickler/core/relevance'
import { addUsage, noUsage } from '@stickler/core/runners'
import type { AskProvider } from '../ports.ts'
import { decideDeterminism } from '../question/determinism.ts'
import { type Spender, SpendGuard, type SpendPorts } from '../spending/spend-guard.ts'
import { capabilitiesOf } from './capabilities.ts'
import { GuardedRunner } from './guarded-runner.ts'

/**
 * The model calls that prepare one question: each is limited like a call that answers it, and all
 * are billed.
 */
export class PreparingCalls {
  readonly #spender: Spender
  readonly #with: SpendPorts
  readonly #runners: GuardedRunner[] = []

  constructor(spender: Spender, dependencies: SpendPorts) {
    this.#spender = spender
    this.#with = dependencies
  }

  /** What all calls have used. */
  get usage(): Usage {
    return this.#runners.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), noUsage)
  }

  /** Why spending could not be read or saved. */
  get fault(): GuardedRunner['fault'] {
    return this.#runners.find(({ fault }) => fault !== undefined)?.fault
  }

  /** A provider as a model that answers one prompt with text. */
  modelOf(provider: AskProvider): AskModel {
    const { limits } = this.#spender
    const capabilities = capabilitiesOf(provider.name, provider.capabilities ? { [provider.name]: provider.capabilities } : {})
    const knobs = { ...decideDeterminism({}, capabilities, {}), model: provider.model, maxTokens: limits.completionTokens }
    return async (prompt, signal = new AbortController().signal) => {
      const inner = typeof provider.runner === 'function' ? provider.runner(knobs) : provider.runner
      const runner = new GuardedRunner(inner, new SpendGuard(this.#spender, provider, this.#with))
      this.#runners.push(runner)
      let text = ''
      const timeLeftMs = Math.max(1, limits.timeMs - this.#spender.elapsed())
      for await (const event of runner.run(undefined, prompt, { signal, stream: false, timeLeftMs })) {
        if (event.type === 'text') text += event.text
      }
      return text
    }
  }
}
