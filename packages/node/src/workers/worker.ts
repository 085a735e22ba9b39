import type { Clock } from '@stickler/core'
import type { PoolWorker } from './worker-pool.ts'

/** How one worker is spoken to. */
export interface Channel<Sent> {
  /** Throws when the message cannot be sent. */
  send(message: Sent): void
  /** Says whether this process must wait for the worker before it may exit by itself. */
  hold(isHeld: boolean): void
  /** Ends the worker, or asks it to end where it must not be stopped in the middle of its work. */
  stop(): void
}

/** What a channel reports. */
export interface ChannelListener<Heard> {
  heard(message: Heard): void
  /** The worker is of no use any more; its end follows. */
  failed(thrown: unknown): void
  /** Nothing is left of the worker; why, where that is known. */
  ended(thrown?: unknown): void
}

/** A thread, a process or a command that does one thing at a time; what takes too long ends with its worker. */
export abstract class Worker<Sent, Heard, Way extends Channel<Sent> = Channel<Sent>> implements PoolWorker {
  /** Settles when nothing is left of it. */
  readonly ended: Promise<void>
  protected readonly channel: Way
  readonly #clock: Clock
  #running: { readonly resolve: (result: never) => void; readonly reject: (failure: unknown) => void } | undefined
  #over: Error | undefined
  #cancelTimer = (): void => {}

  constructor(clock: Clock, open: (listener: ChannelListener<Heard>) => Way) {
    this.#clock = clock
    let isGone = (): void => {}
    this.ended = new Promise((resolve) => {
      isGone = resolve
    })
    this.channel = open({
      heard: (message) => this.hear(message),
      failed: (thrown) => void this.end(this.failureOf(thrown)),
      ended: (thrown) => {
        void this.end(this.failureOf(thrown))
        isGone()
      },
    })
  }

  /** Why it takes no more work; nothing while it does. */
  get over(): Error | undefined {
    return this.#over
  }

  get isOver(): boolean {
    return this.#over !== undefined
  }

  /** Ends it, and with this failure what it does. */
  end(failure: Error): Promise<unknown> {
    this.#over ??= failure
    this.fail(failure)
    this.channel.stop()
    return this.ended
  }

  /** Takes a message. */
  protected abstract hear(message: Heard): void

  /** What a call fails with because of what was thrown; without it, because the worker ended. */
  protected abstract failureOf(thrown?: unknown): Error

  /** Whether something waits for a result. */
  protected get isBusy(): boolean {
    return this.#running !== undefined
  }

  /** Sends a message and waits for its result; one at a time. */
  protected async ask<Result>(message: Sent): Promise<Result> {
    if (this.#over !== undefined) throw this.#over
    // An otherwise idle process waits for the result.
    this.channel.hold(true)
    try {
      return await new Promise<Result>((resolve, reject) => {
        this.#running = { resolve, reject }
        this.post(message)
      })
    } finally {
      this.channel.hold(false)
    }
  }

  /** Ends the worker with this failure unless there is a result within the time, which begins again with every call. */
  protected limit(ms: number, late: Error): void {
    this.#cancelTimer()
    if (this.isBusy) this.#cancelTimer = this.#clock.after(ms, () => void this.end(late))
  }

  /** Sends a message; what waits for a result fails when it cannot be sent. */
  protected post(message: Sent): void {
    try {
      this.channel.send(message)
    } catch (thrown) {
      this.fail(this.failureOf(thrown))
    }
  }

  /** Gives the result to who waits for it. */
  protected settle(result: unknown): void {
    this.#settled()?.resolve(result as never)
  }

  /** Lets what waits for a result fail; the worker lives on. */
  protected fail(failure: unknown): void {
    this.#settled()?.reject(failure)
  }

  #settled(): { readonly resolve: (result: never) => void; readonly reject: (failure: unknown) => void } | undefined {
    const running = this.#running
    this.#running = undefined
    this.#cancelTimer()
    return running
  }
}
