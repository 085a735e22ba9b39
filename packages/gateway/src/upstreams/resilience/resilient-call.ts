import type { RunnerFailure } from '@stickler/core'
import { asRunnerFailure, attempting, type EventIterator, type MaybePromise } from '@stickler/core/internal'
import type { ChoiceEvent } from '@stickler/core/internal/apis'
import { type CallRelay, type ChoiceEvents, type ReplyHead, readWhole, type UpstreamCall } from '@stickler/core/internal/relay'
import type { PassedReply, Upstream } from '../upstream.ts'
import { type Guard, GuardedCall } from './guarded-call.ts'

/** Returns the replacement for a call that failed before anything of an answer arrived; throws if there is none. */
export type Replacement<T> = (failure: RunnerFailure) => Promise<T>

/** A call that is replaced when it fails before any choice has yielded an event; from then on the provider's events are read directly. */
export class ResilientCall implements UpstreamCall {
  readonly choices: readonly ChoiceEvents[]
  readonly #guard: Guard | undefined
  readonly #replace: Replacement<UpstreamCall>
  #call: UpstreamCall
  #current: GuardedCall
  #begun = false
  #moving: Promise<void> | undefined
  #given: { readonly guarded: GuardedCall; readonly failure: unknown } | undefined

  constructor(first: UpstreamCall, guard: Guard | undefined, replace: Replacement<UpstreamCall>) {
    this.#call = first
    this.#guard = guard
    this.#current = new GuardedCall(first, guard)
    this.#replace = replace
    this.choices = first.choices.map((_, index) => new ResilientChoice(this, index))
  }

  /** The current call. */
  get guarded(): GuardedCall {
    return this.#current
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

  /** Called by a choice when its first event has arrived. */
  begin({ type }: ChoiceEvent): void {
    this.#begun = true
    if (type !== 'end') this.#current.begun()
  }

  /** Replaces a call that failed; throws if that is not possible. All choices of a call move together. */
  async recover(guarded: GuardedCall, failure: RunnerFailure): Promise<void> {
    if (guarded !== this.#current) return
    if (this.#begun || this.relay()?.isShown) throw failure
    if (this.#given?.guarded === guarded) throw this.#given.failure
    this.#moving ??= this.#move(guarded, failure)
    await this.#moving
  }

  async #move(guarded: GuardedCall, failure: RunnerFailure): Promise<void> {
    try {
      this.#call = await this.#replace(failure)
      this.#current = new GuardedCall(this.#call, this.#guard)
    } catch (thrown) {
      this.#given = { guarded, failure: thrown }
      throw thrown
    } finally {
      this.#moving = undefined
    }
  }
}

class ResilientChoice implements EventIterator<ChoiceEvent>, ChoiceEvents {
  readonly #call: ResilientCall
  readonly #index: number
  #current: GuardedCall | undefined
  #events: EventIterator<ChoiceEvent> | undefined
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

  nextInto(take: (result: IteratorResult<ChoiceEvent, undefined>) => void, fail: (error: unknown) => void): void {
    if (this.#hasBegun && this.#events?.nextInto !== undefined) this.#events.nextInto(take, fail)
    else this.next().then(take, fail)
  }

  async #first(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    while (!this.#isClosed) {
      const { guarded } = this.#call
      try {
        guarded.enter()
        if (this.#current !== guarded) this.#events = guarded.choice(this.#index)?.[Symbol.asyncIterator]()
        this.#current = guarded
        const result = await this.#events?.next()
        if (result === undefined || result.done === true) break
        this.#call.begin(result.value)
        this.#hasBegun = true
        return result
      } catch (thrown) {
        await this.#call.recover(guarded, asRunnerFailure(thrown))
      }
    }
    this.#isClosed = true
    return { done: true, value: undefined }
  }

  whole(take: (event: ChoiceEvent) => void): MaybePromise<void> {
    const heard = (event: ChoiceEvent): void => {
      this.#call.begin(event)
      take(event)
    }
    const { guarded } = this.#call
    const read = (): MaybePromise<void> => {
      guarded.enter()
      const choice = guarded.choice(this.#index)
      return choice && readWhole(choice, heard)
    }
    return attempting(read, doNothing, async (thrown) => {
      await this.#call.recover(guarded, asRunnerFailure(thrown))
      if (!this.#isClosed) await this.whole(take)
    })
  }

  async return(): Promise<IteratorResult<ChoiceEvent, undefined>> {
    this.#isClosed = true
    this.#current?.left()
    await this.#events?.return?.()
    return { done: true, value: undefined }
  }
}

function doNothing(): void {}

/** Passes a body on until an upstream answers. */
export async function passing(first: () => Promise<PassedReply>, replace: Replacement<() => Promise<PassedReply>>): Promise<PassedReply> {
  for (let pass = first; ; ) {
    try {
      return await pass()
    } catch (thrown) {
      pass = await replace(asRunnerFailure(thrown))
    }
  }
}

/** The function of an upstream that passes bodies on; throws if it has none. */
export function mustPass({ pass, name }: Upstream): NonNullable<Upstream['pass']> {
  if (pass === undefined) throw new Error(`the upstream ${name} cannot pass requests through`)
  return pass
}
