import type { Locale } from '../../contract/locale.ts'
import type { CheckContext } from '../../contract/validator.ts'
import type { CheckSetting } from './check-setting.ts'

/** Made once: an error with a stack for every check would cost more than the check. */
const over = new Error('the check is over')

/** One validator's run: what it is told, with a signal of its own that is made on demand; nothing it began outlives it. */
export class CheckScope {
  readonly setting: CheckSetting
  readonly context: CheckContext
  /** Told when the time limit begins anew, because something was waited for that is not counted. */
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

  /** Whether nobody has asked for the signal, so that another run may use the scope. */
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

/** What a validator is told; the signal is asked for when the validator asks for it. */
export function contextOf(
  locale: Locale,
  setting: Pick<CheckSetting, 'context' | 'ports' | 'clock' | 'memory'>,
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
    get memory() {
      return setting.memory
    },
  }
}
