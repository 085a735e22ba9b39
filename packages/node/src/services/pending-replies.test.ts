import { manualClock } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { PendingReplies } from './pending-replies.ts'

function setting() {
  const sent: number[] = []
  return { replies: new PendingReplies<string>(), sent, send: (id: number) => void sent.push(id), gaveUp: () => new Error('over') }
}

test('each reply comes to the question with its number, and a second one is ignored', async () => {
  const { replies, sent, send, gaveUp } = setting()
  const asked = [replies.ask(send, undefined, gaveUp), replies.askWithin({ clock: manualClock(), timeoutMs: 100 }, send)]
  expect(sent).toEqual([1, 2])
  replies.get(2)?.resolve('two')
  replies.get(1)?.resolve('one')
  expect(await Promise.all(asked)).toEqual(['one', 'two'])
  expect([replies.get(1), replies.get(2)]).toEqual([undefined, undefined])
})

test('a question that nobody waits for any more is forgotten', async () => {
  const { replies, send, gaveUp } = setting()
  const clock = manualClock()
  const over = new AbortController()
  const left = replies.ask(send, over.signal, gaveUp)
  const late = replies.askWithin({ clock, timeoutMs: 100 }, send)
  over.abort()
  clock.advance(100)
  await expect(left).rejects.toThrow('over')
  expect(await late).toBeUndefined()
  expect([replies.get(1), replies.get(2)]).toEqual([undefined, undefined])
})

test('what cannot be sent is not waited for', async () => {
  const { replies, gaveUp } = setting()
  const fail = () => {
    throw new Error('closed')
  }
  await expect(replies.ask(fail, undefined, gaveUp)).rejects.toThrow('closed')
  await expect(replies.askWithin({ clock: manualClock(), timeoutMs: 100 }, fail)).rejects.toThrow('closed')
  expect([replies.get(1), replies.get(2)]).toEqual([undefined, undefined])
})
