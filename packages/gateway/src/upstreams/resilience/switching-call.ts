import type { RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import type { ChoiceEvent } from '@stickler/core/wire'
import { readWhole } from '../transport/read-whole.ts'
import type { CallRelay, ChoiceEvents, ReplyHead, UpstreamCall } from '../upstream.ts'

/**
 * Returns the call that replaces one that failed before anything of an answer arrived; throws when
 * there is none.
 */
export type Replacement = (failure: RunnerFailure) => Promise<UpstreamCall>

/** A call that is replaced by another when it fails, as long as no choice has yielded an event. */
export class SwitchingCall implements UpstreamCall {
  readonly choices: readonly ChoiceEvents[]
  readonly #replace: Replacement
  #current: UpstreamCall
  #begun = false
  #moving: Promise<void> | undefined
  #given: { readonly call: UpstreamCall; readonly failure: unknown } | undefined

  constructor(first: UpstreamCall, replace: Replacement) {
    this.#current = first
    this.#replace = replace
    this.choices = first.choices.map((_, index) => new SwitchingChoice(this, index))
  }

  /** Whether any choice has yielded an event. */
  get begun(): boolean {
    return this.#begun
  }

  /** The call that is read now. */
  get current(): UpstreamCall {
    return this.#current
  }

  head(): ReplyHead {
    return this.#current.head()
  }

  upstream(): string {
    return this.#current.upstream()
  }

  relay(): CallRelay | undefined {
    return this.#current.relay?.()
  }

  /** Called by a choice when something has arrived. */
  begin(): void {
    this.#begun = true
  }

  /** Moves on from a call that failed; throws when that is not possible. All choices of a call move together. */
  async recover(call: UpstreamCall, failure: RunnerFailure): Promise<void> {
    if (call !== this.#current) return
    if (this.#begun || call.relay?.()?.isShown) throw failure
    if (this.#given?.call === call) throw this.#given.failure
    this.#moving ??= this.#move(call, failure)
    await this.#moving
  }

  async #move(call: UpstreamCall, failure: RunnerFailure): Promise<void> {
    try {
      this.#current = await this.#replace(failure)
    } catch (thrown) {
      this.#given = { call, failure: thrown }
      throw thrown
    } finally {
      this.#moving = undefined
    }
  }
}

class SwitchingChoice implements AsyncIterableIterator<ChoiceEvent>, ChoiceEvents {
  readonly #call: SwitchingCall
  readonly #index: number
  #read: UpstreamCall | undefined
  #events: AsyncIterator<ChoiceEvent, undefined> | undefined
  #isClosed = false

  constructor(call: SwitchingCall, index: number) {
    this.#call = call
    this.#index = index
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    // Once something has come there is nothing to watch over any more.
    if (this.#events !== undefined && this.#call.begun && this.#read === this.#call.current && !this.#isClosed) return this.#events.next()
    return this.#next()
  }

  async #next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    while (!this.#isClosed) {
      const call = this.#call.current
      if (this.#read !== call) {
        this.#read = call
        this.#events = call.choices[this.#index]?.[Symbol.asyncIterator]()
      }
      try {
        const result = await this.#events?.next()
        if (result === undefined || result.done === true) break
        this.#call.begin()
        return result
      } catch (thrown) {
        await this.#call.recover(call, asRunnerFailure(thrown))
      }
    }
    this.#isClosed = true
    return { done: true, value: undefined }
  }

  async whole(take: (event: ChoiceEvent) => void): Promise<void> {
    const heard = (event: ChoiceEvent): void => {
      this.#call.begin()
      take(event)
    }
    while (!this.#isClosed) {
      const call = this.#call.current
      const choice = call.choices[this.#index]
      if (choice === undefined) break
      try {
        return await readWhole(choice, heard)
      } catch (thrown) {
        await this.#call.recover(call, asRunnerFailure(thrown))
      }
    }
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    this.#isClosed = true
    await this.#events?.return?.()
    return { done: true, value: undefined }
  }
}
