import type { RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import type { ChoiceEvent } from '@stickler/core/wire'
import { readWhole } from '../transport/read-whole.ts'
import type { CallRelay, ChoiceEvents, PassedReply, ReplyHead, Upstream, UpstreamCall } from '../upstream.ts'
import { Attempt, type Guard } from './attempt.ts'

/** Gives what takes the place of something that failed before anything of an answer arrived; throws when nothing does. */
export type Replacement<T> = (failure: RunnerFailure) => Promise<T>

/** A call that is replaced by another when it fails, as long as no choice has yielded an event; from then on the provider's events are read as they are. */
export class ResilientCall implements UpstreamCall {
  readonly choices: readonly ChoiceEvents[]
  readonly #guard: Guard | undefined
  readonly #replace: Replacement<UpstreamCall>
  #call: UpstreamCall
  #attempt: Attempt
  #begun = false
  #moving: Promise<void> | undefined
  #given: { readonly attempt: Attempt; readonly failure: unknown } | undefined

  constructor(first: UpstreamCall, guard: Guard | undefined, replace: Replacement<UpstreamCall>) {
    this.#call = first
    this.#guard = guard
    this.#attempt = new Attempt(first, guard)
    this.#replace = replace
    this.choices = first.choices.map((_, index) => new ResilientChoice(this, index))
  }

  /** What is read now. */
  get attempt(): Attempt {
    return this.#attempt
  }

  head(): ReplyHead {
    return this.#call.head()
  }

  upstream(): string {
    return this.#call.upstream()
  }

  relay(): CallRelay | undefined {
    return this.#call.relay?.()
  }

  /** Called by a choice when something has arrived. */
  begin({ type }: ChoiceEvent): void {
    this.#begun = true
    if (type !== 'end') this.#attempt.begun()
  }

  /** Moves on from a call that failed; throws when that is not possible. All choices of a call move together. */
  async recover(attempt: Attempt, failure: RunnerFailure): Promise<void> {
    if (attempt !== this.#attempt) return
    if (this.#begun || this.relay()?.isShown) throw failure
    if (this.#given?.attempt === attempt) throw this.#given.failure
    this.#moving ??= this.#move(attempt, failure)
    await this.#moving
  }

  async #move(attempt: Attempt, failure: RunnerFailure): Promise<void> {
    try {
      this.#call = await this.#replace(failure)
      this.#attempt = new Attempt(this.#call, this.#guard)
    } catch (thrown) {
      this.#given = { attempt, failure: thrown }
      throw thrown
    } finally {
      this.#moving = undefined
    }
  }
}

class ResilientChoice implements AsyncIterableIterator<ChoiceEvent>, ChoiceEvents {
  readonly #call: ResilientCall
  readonly #index: number
  #attempt: Attempt | undefined
  #events: AsyncIterator<ChoiceEvent, undefined> | undefined
  #hasBegun = false
  #isClosed = false

  constructor(call: ResilientCall, index: number) {
    this.#call = call
    this.#index = index
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    return this.#hasBegun && this.#events !== undefined ? this.#events.next() : this.#first()
  }

  async #first(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    while (!this.#isClosed) {
      const { attempt } = this.#call
      try {
        attempt.enter()
        if (this.#attempt !== attempt) this.#events = attempt.choice(this.#index)?.[Symbol.asyncIterator]()
        this.#attempt = attempt
        const result = await this.#events?.next()
        if (result === undefined || result.done === true) break
        this.#call.begin(result.value)
        this.#hasBegun = true
        return result
      } catch (thrown) {
        await this.#call.recover(attempt, asRunnerFailure(thrown))
      }
    }
    this.#isClosed = true
    return { done: true, value: undefined }
  }

  async whole(take: (event: ChoiceEvent) => void): Promise<void> {
    const heard = (event: ChoiceEvent): void => {
      this.#call.begin(event)
      take(event)
    }
    while (!this.#isClosed) {
      const { attempt } = this.#call
      try {
        attempt.enter()
        const choice = attempt.choice(this.#index)
        return choice && (await readWhole(choice, heard))
      } catch (thrown) {
        await this.#call.recover(attempt, asRunnerFailure(thrown))
      }
    }
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    this.#isClosed = true
    this.#attempt?.left()
    await this.#events?.return?.()
    return { done: true, value: undefined }
  }
}

/** Passes a body on until it is answered. */
export async function passing(first: () => Promise<PassedReply>, replace: Replacement<() => Promise<PassedReply>>): Promise<PassedReply> {
  for (let pass = first; ; ) {
    try {
      return await pass()
    } catch (thrown) {
      pass = await replace(asRunnerFailure(thrown))
    }
  }
}

/** How an upstream passes bodies on; throws when it does not. */
export function mustPass({ pass, name }: Upstream): NonNullable<Upstream['pass']> {
  if (pass === undefined) throw new Error(`the upstream ${name} cannot pass requests through`)
  return pass
}
