import type { Locale } from '../../contract/locale.ts'
import { systemClock } from '../../contract/ports.ts'
import type { CheckContext, PreparedValidator } from '../../contract/validator.ts'
import type { CheckSetting } from './check-setting.ts'

/** Made once: an error with a stack for every check would cost more than the check. */
const over = new Error('the check is over')

/** One validator's run: its context, with its own signal created on demand; nothing it started keeps running after it. */
export class CheckScope {
  readonly setting: CheckSetting
  readonly context: CheckContext
  /** Called when the time limit starts again after waiting for something that does not count. */
  onUncounted = (): void => {}
  /** How many of these waits are not over. */
  waits = 0
  #ending: AbortController | undefined
  #signal: AbortSignal | undefined

  constructor(locale: Locale, setting: CheckSetting) {
    this.setting = setting
    this.context = new GivenContext(locale, setting, this, (wait) => this.#leaveOut(wait))
  }

  /** The signal of the run, which is created now. */
  get signal(): AbortSignal {
    this.#ending ??= new AbortController()
    this.#signal ??= AbortSignal.any([this.setting.signal, this.#ending.signal])
    return this.#signal
  }

  /** Whether the signal was never requested, so that another run may reuse the scope. */
  get fresh(): boolean {
    return this.#ending === undefined
  }

  /** Ends the run, for the first reason that is given. */
  close(reason: Error = over): void {
    this.#ending?.abort(reason)
  }

  async #leaveOut<Result>(wait: Promise<Result>): Promise<Result> {
    this.waits++
    try {
      return await wait
    } finally {
      this.waits--
      this.onUncounted()
    }
  }
}

/** What the context of a validator is made from. */
type ContextSetting = Pick<CheckSetting, 'context' | 'ports' | 'clock' | 'memory' | 'attempts'>

/** The context of a validator; its signal is created on demand. A class, because each literal with a getter has a hidden class of its own. */
export class GivenContext implements CheckContext {
  readonly locale: Locale
  readonly context: CheckContext['context']
  readonly ports: CheckContext['ports']
  readonly clock: CheckSetting['clock']
  readonly uncounted: CheckContext['uncounted']
  readonly attempt: number | undefined
  readonly memory: Map<unknown, unknown>
  declare readonly signal: AbortSignal
  readonly #source: Pick<CheckSetting, 'signal'>

  constructor(locale: Locale, setting: ContextSetting, source: Pick<CheckSetting, 'signal'>, uncounted?: CheckContext['uncounted']) {
    this.locale = locale
    this.context = setting.context
    this.ports = setting.ports
    this.clock = setting.clock
    this.uncounted = uncounted
    this.attempt = setting.attempts
    this.memory = setting.memory
    this.#source = source
    Object.defineProperty(this, 'signal', GivenContext.#onDemand)
  }

  /** A property of the object itself, so that copies have it, and one function for all of them. */
  static readonly #onDemand: PropertyDescriptor & ThisType<GivenContext> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#source.signal
    },
  }
}

/** What a validator is given: what the model is asked, if it reads that; it can be secret, and rules send their context away. */
export function contextFor({ readsPrompt }: Pick<PreparedValidator, 'readsPrompt'>, given: CheckContext): CheckContext {
  if (readsPrompt === true || given.context.prompt === undefined) return given
  const { locale, ports, clock = systemClock, memory = new Map(), attempt } = given
  const setting = { context: withoutPrompt(given.context), ports, clock, memory, ...(attempt === undefined ? {} : { attempts: attempt }) }
  return new GivenContext(locale, setting, given, given.uncounted)
}

/** A context without what the model is asked. */
export function withoutPrompt({ prompt: _prompt, ...others }: CheckContext['context']): CheckContext['context'] {
  return others
}
