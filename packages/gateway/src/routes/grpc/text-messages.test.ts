import { manualClock } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextMessages } from './text-messages.ts'

const runs = 200
const limits = { ms: 20, characters: 10 }

/** Takes messages; every `slowEvery`th one only when `catchUp` is called. */
function sinkOf(slowEvery = 0) {
  const sent: string[] = []
  let release: (() => void) | undefined
  return {
    sent,
    catchUp: () => release?.(),
    send(text: string): Promise<void> | undefined {
      if (release !== undefined) throw new Error('a message was sent to a client that is slow')
      sent.push(text)
      if (slowEvery === 0 || sent.length % slowEvery > 0) return undefined
      return new Promise((resolve) => {
        release = () => {
          release = undefined
          resolve()
        }
      })
    },
  }
}

describe('text messages', () => {
  test('the first piece leaves at once, the next ones together after a while or with enough text', async () => {
    const clock = manualClock()
    const sink = sinkOf()
    const messages = new TextMessages(sink, clock, limits)
    for (const piece of ['', 'a', 'b', 'c']) void messages.add(piece)
    expect(sink.sent).toEqual(['a'])
    clock.advance(19)
    expect(sink.sent).toEqual(['a'])
    clock.advance(1)
    expect(sink.sent).toEqual(['a', 'bc'])
    void messages.add('0123456789')
    void messages.add('x')
    expect(sink.sent).toEqual(['a', 'bc', '0123456789'])
    await messages.end()
    expect([sink.sent.at(-1), clock.pending]).toEqual(['x', 0])
  })

  test('what is dropped is not sent, and no timer stays', () => {
    const clock = manualClock()
    const sink = sinkOf()
    const messages = new TextMessages(sink, clock, limits)
    void messages.add('a')
    void messages.add('b')
    messages.drop()
    clock.advance(100)
    expect([sink.sent, clock.pending]).toEqual([['a'], 0])
  })

  test('a long text is several messages, none of which ends within a character', async () => {
    const sink = sinkOf()
    const messages = new TextMessages(sink, manualClock(), limits)
    const text = `x${'\ud83d\ude00'.repeat(100_000)}\ud83d`
    void messages.add(text)
    await messages.end()
    expect(sink.sent.join('')).toBe(text)
    expect(Math.max(...sink.sent.map(({ length }) => length))).toBeLessThanOrEqual(64 * 1024)
    for (const one of sink.sent.slice(0, -1)) expect(one.at(-1)).not.toMatch(/^[\ud800-\udbff]$/)
  })

  test('whatever the pieces, the pauses and the client, the text arrives whole and in order', async () => {
    const pieces = fc.array(fc.record({ text: fc.string({ unit: 'binary', maxLength: 8 }), pause: fc.nat(30) }), { maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(pieces, fc.nat(3), async (given, slowEvery) => {
        const clock = manualClock()
        const sink = sinkOf(slowEvery)
        const messages = new TextMessages(sink, clock, limits)
        for (const { text, pause } of given) {
          // Half characters come too.
          for (const unit of text.split('')) {
            const slow = messages.add(unit)
            sink.catchUp()
            await slow
          }
          clock.advance(pause)
          sink.catchUp()
          await Promise.resolve()
        }
        let isOver = false
        const end = messages.end().then(() => {
          isOver = true
        })
        while (!isOver) {
          sink.catchUp()
          await Promise.resolve()
        }
        await end
        expect(sink.sent.join('')).toBe(given.map(({ text }) => text).join(''))
        expect(sink.sent).not.toContain('')
        expect(clock.pending).toBe(0)
      }),
      { numRuns: runs },
    )
  })
})
