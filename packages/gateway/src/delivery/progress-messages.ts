import type { TraceEvent } from '@stickler/core'
import type { ReplyWords } from './reply/reply-messages.ts'

/** Reports progress when a run retries. */
export class ProgressTeller {
  readonly #words: Pick<ReplyWords, 'progress'>
  readonly #tell: (description: string, done: boolean) => void
  #most = 1
  #codes = ''
  #told = ''

  constructor(words: Pick<ReplyWords, 'progress'>, tell: (description: string, done: boolean) => void) {
    this.#words = words
    this.#tell = tell
  }

  /** Takes one event of the run. */
  listen(event: TraceEvent): void {
    if (event.type === 'run-started') this.#most = event.maxAttempts
    if (event.type === 'checked' || event.type === 'attempt-stopped') {
      const codes = event.issues.filter(({ severity }) => severity === 'error').map(({ code }) => code)
      this.#codes = [...new Set(codes)].slice(0, 3).join(', ')
    }
    if (event.type !== 'attempt-started' || event.attempt === 1) return
    this.#told = this.#words.progress(event.attempt, this.#most, this.#codes)
    this.#tell(this.#told, false)
  }

  /** Reports the end, if anything was reported. */
  finish(): void {
    if (this.#told !== '') this.#tell(this.#told, true)
  }
}
