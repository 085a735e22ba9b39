import { AnswerReader } from '../../answer/reader.ts'
import { allowedRepairs } from '../../contract/allowed-repairs.ts'
import type { ActiveValidator } from '../../contract/configuration/read-checks.ts'
import type { ValueReader } from '../../contract/validator.ts'
import type { RunState } from '../run-state.ts'
import type { VerifiedStream } from '../stream/stream.ts'

/** Follows the value of an answer for partial results, as far as no other validator holds the text. */
export class ValueWatch {
  readonly #run: RunState
  readonly #attempt: number
  readonly #validator: ActiveValidator
  readonly #value: ValueReader
  readonly #reader = new AnswerReader()
  /** What was received and not read yet, and its offset. */
  #unread = ''
  #read = 0
  #version = 0

  private constructor(run: RunState, validator: ActiveValidator, value: ValueReader) {
    this.#run = run
    this.#attempt = run.attempts
    this.#validator = validator
    this.#value = value
  }

  /** Follows the value that the first validator with one reads; undefined when none has. */
  static start(run: RunState): ValueWatch | undefined {
    const { validators, policy } = run.contract
    const validator = validators.find(({ prepared }) => prepared.value !== undefined)
    // Where nothing is repaired, nothing is shown as if it were.
    const allow = validator && policy.repair !== 'never' ? allowedRepairs(validator.prepared, policy, {}).usual : []
    const value = validator?.prepared.value?.(allow)
    return validator && value ? new ValueWatch(run, validator, value) : undefined
  }

  /** Takes what was received, and reads what may be shown by now. */
  follow(stream: VerifiedStream, received: string): void {
    this.#unread += received
    const length = stream.safeBeside(this.#validator) - this.#read
    if (length <= 0) return
    const chunk = this.#unread.slice(0, length)
    this.#unread = this.#unread.slice(length)
    this.#read += chunk.length
    this.#reader.push(chunk)
    this.#value.push(chunk, this.#reader)
    if (this.#value.version === this.#version) return
    this.#version = this.#value.version
    this.#run.onValue?.(this.#attempt, () => this.#value.copy())
  }
}
