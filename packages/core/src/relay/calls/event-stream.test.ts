import { expect, test } from 'vitest'
import { chatWire } from '../../apis/chat/chat-wire.ts'
import { messagesWire } from '../../apis/messages/messages-wire.ts'
import { EventStream, type Incoming } from './event-stream.ts'

const event = Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n')

/** Reads pieces, of which so many are there at a time; gives how often other work had its turn, and how often after something had been read that was there. */
async function turnsFor(pieces: readonly Uint8Array[], atOnce: number): Promise<{ turns: number; between: number }> {
  const found = { turns: 0, between: 0 }
  let hasRead = false
  const turn = async (): Promise<void> => {
    found.turns++
    if (hasRead) found.between++
  }
  const response = { maxBytes: 10_000_000, turn, transfer: { finish() {}, hurry() {} } } as unknown as Incoming
  const left = [...pieces]
  let there = atOnce
  const poll = (): Uint8Array | undefined => (there-- > 0 ? left.shift() : undefined)
  const reader = chatWire.readStream({ count: 1, alwaysEnds: true, see: () => {}, head: () => {}, receive: () => {} })
  const stream = new EventStream(response, { poll, wait: () => {} }, reader)
  for (;;) {
    const progress = stream.read()
    if (progress === 'waiting' && left.length === 0) return found
    if (progress === 'waiting') there = atOnce
    else await progress
    hasRead = progress === 'read'
  }
}

test('a stream lets other work have its turn: before it reads what has come, unless that is much', async () => {
  const events = Array.from({ length: 5000 }, () => event)
  const byAndBy = await turnsFor(events, 100)
  expect(byAndBy.turns).toBeGreaterThan(10)
  expect(byAndBy.between).toBe(0)
  expect((await turnsFor(events, 5000)).turns).toBeGreaterThan(5)
  expect((await turnsFor([Buffer.concat(events)], 1)).turns).toBeGreaterThan(5)
  const large = Array.from({ length: 20 }, () => Buffer.concat(events.slice(0, 400)))
  expect((await turnsFor(large, 20)).turns).toBeGreaterThan(5)
})

test('a reason beside the beginning of a message does not shorten the wait for its content, the reason at its end does', () => {
  for (const content of [[], [{ type: 'text', text: 'a' }]]) {
    const events = [
      { type: 'message_start', message: { content, stop_reason: 'end_turn' } },
      { type: 'content_block_start', index: content.length, content_block: { type: 'text', text: '' } },
      { type: 'content_block_stop', index: content.length },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
    ]
    const left = events.map((one) => Buffer.from(`data: ${JSON.stringify(one)}\n\n`))
    let hurries = 0
    const response = { maxBytes: 10_000_000, transfer: { finish() {}, hurry: () => hurries++ } } as unknown as Incoming
    const reader = messagesWire.readStream({ count: 1, alwaysEnds: true, see: () => {}, head: () => {}, receive: () => {} })
    const stream = new EventStream(response, { poll: () => left.shift(), wait: () => {} }, reader)
    const seen = events.map(() => [stream.read(), hurries])
    expect([seen, stream.read(), hurries]).toEqual([events.map(() => ['read', 0]), 'waiting', 1])
  }
})
