import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Connections } from './connections.ts'

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string
  destroyed = false
  isBusy = false

  constructor(remoteAddress: string) {
    super()
    this.remoteAddress = remoteAddress
  }

  destroy(): void {
    this.destroyed = true
    this.emit('close')
  }
}

function opened(most: number) {
  const connections = new Connections(most, () => (socket) => (socket as unknown as FakeSocket).isBusy)
  const sockets: FakeSocket[] = []
  const open = (address: string): FakeSocket => {
    const socket = new FakeSocket(address)
    sockets.push(socket)
    connections.add(socket as unknown as Socket)
    return socket
  }
  return { connections, open, alive: () => sockets.filter(({ destroyed }) => !destroyed) }
}

test('an idle connection makes room, also where the address with the most has only busy ones', () => {
  const { open } = opened(100)
  const busy = [open('busy'), open('busy')]
  for (const socket of busy) socket.isBusy = true
  const idle = Array.from({ length: 98 }, (_, index) => open(`idle ${index}`))
  const added = Array.from({ length: 50 }, (_, index) => open(`new ${index}`))
  expect([...busy, ...added].filter(({ destroyed }) => destroyed)).toEqual([])
  expect(idle.filter(({ destroyed }) => destroyed)).toEqual(idle.slice(0, 50))
})

test('a new connection is refused only when all others are busy, a busy one is never closed, and one that was busy may be', () => {
  const acts = fc.array(
    fc.record({ act: fc.constantFrom('open', 'open', 'toggle', 'close'), address: fc.constantFrom('a', 'b', 'c'), at: fc.nat() }),
    {
      maxLength: 80,
    },
  )
  fc.assert(
    fc.property(acts, fc.integer({ min: 1, max: 8 }), (steps, most) => {
      const { connections, open, alive } = opened(most)
      for (const { act, address, at } of steps) {
        const before = alive()
        const one = before[at % Math.max(1, before.length)]
        if (act === 'toggle' && one !== undefined) one.isBusy = !one.isBusy
        if (act === 'close') one?.destroy()
        if (act !== 'open') continue
        const idle = before.filter(({ isBusy }) => !isBusy)
        const socket = open(address)
        expect(socket.destroyed).toBe(before.length === most && idle.length === 0)
        const closed = before.filter(({ destroyed }) => destroyed)
        expect(closed.length).toBe(before.length === most && idle.length > 0 ? 1 : 0)
        const count = (of: string) => idle.filter(({ remoteAddress }) => remoteAddress === of).length + (of === address ? 1 : 0)
        for (const { isBusy, remoteAddress } of closed) {
          expect(isBusy).toBe(false)
          expect(count(remoteAddress)).toBe(Math.max(...['a', 'b', 'c'].map(count)))
        }
      }
      connections.destroy()
      expect(alive()).toEqual([])
    }),
  )
})
