import { manualClock } from '@stickler/core/testing'
import { expect, test } from 'vitest'
import { Sessions } from './grpc-sessions.ts'

const limits = { turns: 2, bytes: 20, sessions: 3, ms: 1000 }
const said = (sessions: Sessions, key: string, session: string): string =>
  sessions
    .history(key, session)
    .map(({ content }) => content)
    .join(' ')

test('a conversation is bounded in turns, bytes and time, and whole turns are forgotten', () => {
  const clock = manualClock()
  const sessions = new Sessions(clock, limits)
  sessions.add('k', 's', 'a', 'b')
  sessions.add('k', 's', 'c', 'd')
  sessions.add('k', 's', 'e', 'f')
  expect(sessions.history('k', 's')).toEqual([
    { role: 'user', content: 'c' },
    { role: 'assistant', content: 'd' },
    { role: 'user', content: 'e' },
    { role: 'assistant', content: 'f' },
  ])
  sessions.add('k', 's', 'ä'.repeat(8), 'x')
  expect(said(sessions, 'k', 's')).toBe(`e f ${'ä'.repeat(8)} x`)
  clock.advance(999)
  sessions.add('k', 's', 'g', 'h')
  clock.advance(999)
  expect(said(sessions, 'k', 's')).toBe(`${'ä'.repeat(8)} x g h`)
  clock.advance(1)
  expect(said(sessions, 'k', 's')).toBe('')
  sessions.add('k', 's', 'x'.repeat(21), '')
  expect(said(sessions, 'k', 's')).toBe('')
})

test('no session is another one, and the one that was used least recently is forgotten first', () => {
  const sessions = new Sessions(manualClock(), limits)
  sessions.add('a', 'b","c', '1', '')
  sessions.add('a","b', 'c', '2', '')
  sessions.add('a', '', '3', '')
  expect([said(sessions, 'a', 'b","c').trim(), said(sessions, 'a","b', 'c').trim(), said(sessions, 'a', '')]).toEqual(['1', '2', ''])
  sessions.add('k', 'x', '4', '')
  sessions.add('a', 'b","c', '5', '')
  sessions.add('k', 'y', '6', '')
  expect(said(sessions, 'a","b', 'c')).toBe('')
  expect(said(sessions, 'a', 'b","c').trim()).toContain('5')
})
