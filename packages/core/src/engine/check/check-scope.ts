import type { Locale } from '../../contract/locale.ts'
import type { CheckContext } from '../../contract/validator.ts'
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
    this.context = contextOf(
      locale,
      setting,
      () => this.#read(),
      (wait) => this.#leaveOut(wait),
    )
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

  #read(): AbortSignal {
    this.#ending ??= new AbortController()
    this.#signal ??= AbortSignal.any([this.setting.signal, this.#ending.signal])
    return this.#signal
  }
}

/** The context of a validator; the signal is created when the validator reads it. */
export function contextOf(
  locale: Locale,
  setting: Pick<CheckSetting, 'context' | 'ports' | 'clock' | 'memory' | 'attempts'>,
  signal: () => AbortSignal,
  uncounted?: CheckContext['uncounted'],
): CheckContext {
  const { context, ports, clock } = setting
  return {
    locale,
    context,
    ports,
    clock,
    uncounted,
    get signal() {
      return signal()
    },
    get attempt() {
      return setting.attempts
    },
    get memory() {
      return setting.memory
    },
  }
}
