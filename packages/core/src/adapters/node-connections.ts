import type { Socket } from 'node:net'
import { FairQueue } from './fair-queue.ts'

/** How many connections of one address are looked at for one that has nothing to do. */
const mostTried = 64

/**
 * Keeps a server from holding more connections than it may: a new one takes the place of the
 * oldest that has nothing to do, of the address that has the most.
 */
export class Connections {
  readonly #most: number
  readonly #busyNow: () => (socket: Socket) => boolean
  readonly #open = new FairQueue<Socket>()

  /** `busyNow` returns whether a connection must not be closed. */
  constructor(most: number, busyNow: () => (socket: Socket) => boolean) {
    this.#most = most
    this.#busyNow = busyNow
  }

  /** Adds a new connection; closes another one, or itself, when there is no room. */
  add(socket: Socket): void {
    const entry = this.#open.add(socket.remoteAddress ?? '', socket)
    socket.once('close', () => this.#open.delete(entry))
    if (this.#open.size > this.#most) this.#closeOne(socket)
  }

  /** Closes all connections. */
  destroy(): void {
    for (const { item } of this.#open) item.destroy()
  }

  #closeOne(newest: Socket): void {
    const isBusy = this.#busyNow()
    for (let tried = 0; tried < mostTried; tried++) {
      const oldest = this.#open.oldestOfMost
      if (oldest === undefined || oldest.item === newest) break
      if (!isBusy(oldest.item)) {
        this.#open.delete(oldest)
        oldest.item.destroy()
        return
      }
      this.#open.renew(oldest)
    }
    newest.destroy()
  }
}
