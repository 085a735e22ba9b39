import type { Socket } from 'node:net'
import { FairQueue, type Queued } from '@stickler/core/internal/services'

interface Connection {
  readonly socket: Socket
  readonly address: string
  /** Absent while it was busy when last looked at. */
  place?: Queued<Connection> | undefined
}

/**
 * Keeps a server from holding more connections than it may: a new one takes the place of the
 * oldest that has nothing to do, of the address that has the most of these.
 */
export class Connections {
  readonly #most: number
  readonly #busyNow: () => (socket: Socket) => boolean
  readonly #idle = new FairQueue<Connection>()
  /** Looked at again whenever room is needed, so that there are no more of them than are busy. */
  readonly #busy = new Set<Connection>()

  /** `busyNow` returns whether a connection must not be closed. */
  constructor(most: number, busyNow: () => (socket: Socket) => boolean) {
    this.#most = most
    this.#busyNow = busyNow
  }

  /** Adds a new connection; closes another one, or itself, when there is no room. */
  add(socket: Socket): void {
    const connection: Connection = { socket, address: socket.remoteAddress ?? '' }
    socket.once('close', () => this.#remove(connection))
    if (this.#idle.size + this.#busy.size < this.#most) this.#hold(connection)
    else this.#replace(connection, this.#busyNow())
  }

  /** Closes all connections. */
  destroy(): void {
    for (const { item } of this.#idle) item.socket.destroy()
    for (const { socket } of this.#busy) socket.destroy()
  }

  #hold(connection: Connection): void {
    connection.place = this.#idle.add(connection.address, connection)
  }

  #remove(connection: Connection): void {
    if (connection.place !== undefined) this.#idle.delete(connection.place)
    this.#busy.delete(connection)
  }

  #replace(newest: Connection, isBusy: (socket: Socket) => boolean): void {
    for (const connection of this.#busy) {
      if (isBusy(connection.socket)) continue
      this.#busy.delete(connection)
      this.#hold(connection)
    }
    this.#hold(newest)
    let closed = this.#idle.oldestOfMost?.item ?? newest
    while (closed !== newest && isBusy(closed.socket)) {
      this.#remove(closed)
      closed.place = undefined
      this.#busy.add(closed)
      closed = this.#idle.oldestOfMost?.item ?? newest
    }
    this.#remove(closed)
    closed.socket.destroy()
  }
}
