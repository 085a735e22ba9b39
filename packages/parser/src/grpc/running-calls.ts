import { ServerInterceptingCall, type ServerInterceptor } from '@grpc/grpc-js'

/** Knows which peers have a call that runs: one whose message has arrived and that has no status yet. */
export class RunningCalls {
  readonly #running = new Map<string, number>()
  readonly #except: string

  /** Calls of methods whose path begins with `except` do not count. */
  constructor(except: string) {
    this.#except = except
  }

  /** Whether a peer has such a call. */
  has(peer: string): boolean {
    return this.#running.has(peer)
  }

  /** Counts calls. */
  readonly count: ServerInterceptor = ({ path }, call) => {
    if (path.startsWith(this.#except)) return new ServerInterceptingCall(call)
    const peer = call.getPeer()
    let hasBegun = false
    let isOver = false
    const end = (): void => {
      if (isOver) return
      isOver = true
      if (hasBegun) this.#add(peer, -1)
    }
    return new ServerInterceptingCall(call, {
      start: (start) =>
        start({
          onReceiveHalfClose: (next) => {
            hasBegun = !isOver
            if (hasBegun) this.#add(peer, 1)
            next()
          },
          onCancel: end,
        }),
      sendStatus(status, next) {
        end()
        next(status)
      },
    })
  }

  #add(peer: string, by: number): void {
    const count = (this.#running.get(peer) ?? 0) + by
    if (count > 0) this.#running.set(peer, count)
    else this.#running.delete(peer)
  }
}
