import { describe, expect, it } from 'vitest'
import type { Message } from '../engine/runner.ts'
import { asMessages, clampMiddle, retryMessages } from './conversation.ts'

describe('asMessages', () => {
  it('makes one user message of a text', () => {
    expect(asMessages('hi')).toEqual([{ role: 'user', content: 'hi' }])
  })
  it('keeps a conversation as it is', () => {
    const messages: Message[] = [{ role: 'system', content: 'be brief' }]
    expect(asMessages(messages)).toBe(messages)
  })
})

describe('retryMessages', () => {
  const system = { role: 'system', content: '  rules\r\n\u0000🙂 ' } as const
  const original = [system, { role: 'user', content: 'ask' }] as const

  it('adds the rejected answer and the feedback', () => {
    const messages = retryMessages('fix it', { original, rejected: 'bad' })
    expect(messages).toEqual([...original, { role: 'assistant', content: 'bad' }, { role: 'user', content: 'fix it' }])
    expect(messages[0]).toBe(system)
  })
  it.each([
    ['an empty answer', '', 8000],
    ['a limit of zero', 'bad', 0],
  ])('leaves out the assistant on %s', (_, rejected, limit) => {
    expect(retryMessages('fix it', { original: 'ask', rejected }, limit)).toEqual([
      { role: 'user', content: 'ask' },
      { role: 'user', content: 'fix it' },
    ])
  })
  it('keeps the same size for any longer answer', () => {
    const size = (length: number): number => JSON.stringify(retryMessages('f', { original: 'o', rejected: 'x'.repeat(length) })).length
    expect(size(1_000_000)).toBeLessThan(8100)
    expect(Math.abs(size(100_000) - size(900_000))).toBeLessThan(3)
  })
})

describe('clampMiddle', () => {
  it.each([
    ['shorter', 'abc', 4, 'abc'],
    ['as long', 'abcd', 4, 'abcd'],
    ['no room for a mark', 'abcdef', 3, 'abc'],
    ['no room, not half a character', 'ab🙂cdef', 3, 'ab'],
  ])('%s', (_, text, limit, expected) => {
    expect(clampMiddle(text, limit)).toBe(expected)
  })
  it('keeps head and tail and says what is missing', () => {
    const clamped = clampMiddle(`HEAD${'x'.repeat(1000)}TAIL`, 100)
    expect(clamped).toMatch(/^HEADx+\n\[… \d+ characters left out …\]\nx+TAIL$/)
    expect(clamped.length).toBeLessThanOrEqual(100)
    const left = Number(/\d+/.exec(clamped)?.[0])
    expect(clamped.replace(/\n.*\n/, '').length + left).toBe(1008)
  })
  it('never cuts a character in half, wherever the limit falls', () => {
    const text = '🙂'.repeat(200)
    for (let limit = 0; limit < 120; limit++) {
      const clamped = clampMiddle(text, limit)
      expect(clamped.length).toBeLessThanOrEqual(limit)
      expect(clamped).not.toMatch(/\p{Surrogate}/u)
    }
  })
})
