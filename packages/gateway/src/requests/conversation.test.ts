import type { Message, Outcome } from '@stickler/core'
import { retryContinuation } from '@stickler/core/internal/relay'
import { manualClock } from '@stickler/core/testing'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { Conversation, type ConversationNames, patientKeeper, type SessionKeeper } from './conversation.ts'

function memory(): SessionKeeper & { readonly rows: Map<string, string> } {
  const rows = new Map<string, string>()
  return {
    rows,
    async take(key) {
      const session = rows.get(key)
      rows.delete(key)
      return session
    },
    keep: async (key, session) => void rows.set(key, session),
  }
}

const names: ConversationNames = { owner: 'alice', session: 'chat-1', model: 'm', contract: 'c' }
const delivered = (text: string): Outcome => ({ text, toolCalls: [] }) as unknown as Outcome
const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', ' a', '') }, fc.string({ maxLength: 6, unit: 'binary' }))
const message = fc.record({ role: fc.constantFrom('system', 'user', 'assistant', 'tool'), content: text })
const history = fc.array(message, { maxLength: 4 })

/** The slow, obvious comparison: what somebody would read in both. */
function reads(messages: readonly Message[]): string {
  return JSON.stringify(messages.map(({ role, content }) => ({ role, said: role === 'assistant' ? String(content).trim() : content })))
}

test('a session is found by the history that it has seen, and by no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      text,
      fc.option(fc.tuple(fc.nat(4), fc.option(message)), { freq: 2 }),
      history,
      async (asked, answer, change, further) => {
        const other: Message[] = [...asked]
        // Another message in the place of one, one less, or none other.
        if (change !== null) other.splice(change[0], 1, ...(change[1] === null ? [] : [change[1]]))
        const keeper = memory()
        const conversation = new Conversation(names, keeper)
        await conversation.keep('place', 's-1', asked, delivered(answer))
        const sent: Message[] = [...other, { role: 'assistant', content: answer }, ...further]
        const seen = sent.slice(0, sent.findLastIndex(({ role }) => role === 'assistant') + 1)
        const isSame = reads(seen) === reads([...asked, { role: 'assistant', content: answer }]) && seen.length < sent.length
        const open = await conversation.continuation(sent).take('place')
        expect(open).toEqual(isSame ? { session: 's-1', messages: sent.slice(seen.length) } : undefined)
      },
    ),
    { numRuns: 300 },
  )
})

describe('a session is not found', () => {
  const asked: Message[] = [{ role: 'user', content: 'One' }]
  const next: Message[] = [...asked, { role: 'assistant', content: 'Hi' }, { role: 'user', content: 'Two' }]
  const kept = async () => {
    const keeper = memory()
    await new Conversation(names, keeper).keep('place', 's-1', asked, delivered('Hi'))
    return keeper
  }
  it.each<[string, Partial<ConversationNames>, string]>([
    ['by another key', { owner: 'bob' }, 'place'],
    ['by another chat', { session: 'chat-2' }, 'place'],
    ['by another model', { model: 'n' }, 'place'],
    ['by another contract', { contract: '' }, 'place'],
    ['at another place', {}, 'elsewhere'],
    ['by names that read the same when they are joined', { owner: 'alice","chat-1', session: '' }, 'place'],
  ])('%s', async (_who, other, place) => {
    const keeper = await kept()
    expect(await new Conversation({ ...names, ...other }, keeper).continuation(next).take(place)).toBeUndefined()
    expect(await new Conversation(names, keeper).continuation(next).take('place')).toMatchObject({ session: 's-1' })
  })
  it('twice', async () => {
    const conversation = new Conversation(names, await kept())
    const continuation = conversation.continuation(next)
    expect(await continuation.take('place')).toMatchObject({ session: 's-1' })
    expect(await continuation.take('place')).toBeUndefined()
    expect(await conversation.continuation(next).take('place')).toBeUndefined()
  })
  it('while the store cannot be reached', async () => {
    const broken: SessionKeeper = { take: () => Promise.reject(new Error('down')), keep: () => Promise.reject(new Error('down')) }
    expect(await new Conversation(names, broken).continuation(next).take('place')).toBeUndefined()
  })
  it('while the store hangs, for which no answer waits long', async () => {
    const clock = manualClock()
    const never = () => new Promise<never>(() => {})
    const conversation = new Conversation(names, patientKeeper({ take: never, keep: never }, clock))
    const both = Promise.allSettled([
      conversation.continuation(next).take('place'),
      conversation.keep('place', 's-1', asked, delivered('Hi')),
    ])
    await clock.advanceAsync(1000)
    expect(await both).toMatchObject([{ value: undefined }, { reason: { message: 'the session was not saved in time' } }])
  })
  it('by calls of tools that differ from those that were delivered', async () => {
    const keeper = memory()
    const call = { name: 'f', arguments: '{"a":1}' }
    await new Conversation(names, keeper).keep('place', 's-1', asked, { text: '', toolCalls: [call] } as unknown as Outcome)
    const after = (given: string): Message[] => [
      ...asked,
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: given } }] },
      { role: 'tool', tool_call_id: 'c1', content: '7' },
    ]
    expect(await new Conversation(names, keeper).continuation(after('{"a":2}')).take('place')).toBeUndefined()
    expect(await new Conversation(names, keeper).continuation(after('{"a":1}')).take('place')).toMatchObject({ session: 's-1' })
  })
  it('in its names or words', async () => {
    expect([...(await kept()).rows.keys()]).toEqual([expect.stringMatching(/^[\da-f]{64}$/)])
  })
})

test('a resumed session holds what its client sends, whatever clients do', async () => {
  const pick = fc.nat(20)
  const act = fc.record({
    who: fc.constantFrom('alice', 'bob'),
    chat: fc.constantFrom('1', '2'),
    from: pick,
    cut: fc.nat(3),
    text,
    fails: fc.nat(4),
    late: fc.boolean(),
  })
  let resumed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
      const keeper = memory()
      /** What Claude has in its sessions, which anybody may continue who knows the id. */
      const sessions = new Map<string, string>()
      const histories: (readonly Message[])[] = [[]]
      const pending: (() => Promise<void>)[] = []
      for (const [number, { who, chat, from, cut, text: said, fails, late }] of acts.entries()) {
        // Continue any history, one's own or another's, whole or branched.
        const known = histories[from % histories.length] ?? []
        const asked: Message[] = [...known.slice(0, known.length - cut), { role: 'user', content: said }]
        const conversation = new Conversation({ owner: who, session: chat, model: 'm', contract: 'c' }, keeper)
        const open = await conversation.continuation(asked).take('place')
        const id = open?.session ?? `${who} ${chat} ${number}`
        if (open !== undefined) {
          resumed++
          expect(id.startsWith(`${who} ${chat} `)).toBe(true)
          expect(sessions.get(id)).toBe(reads(asked.slice(0, asked.length - open.messages.length)))
        }
        if (fails === 0) continue
        const answer: Message = { role: 'assistant', content: `${said}${number % 2}` }
        histories.push([...asked, answer])
        const end = async (): Promise<void> => {
          sessions.set(id, reads([...asked, answer]))
          await conversation.keep('place', id, asked, delivered(String(answer.content)))
        }
        if (late) pending.push(end)
        else await end()
        if (!late) for (const one of pending.splice(0)) await one()
      }
    }),
    { numRuns: 300 },
  )
  expect(resumed).toBeGreaterThan(0)
})

test('a retry continues the session of the attempt before it, once and only at its place', async () => {
  const open = { session: 's-1', messages: [{ role: 'user', content: 'Shorter.' }] }
  expect(await retryContinuation('place', 's-1', 'Shorter.').take('elsewhere')).toBeUndefined()
  const continuation = retryContinuation('place', 's-1', 'Shorter.')
  expect(await continuation.take('place')).toEqual(open)
  expect(await continuation.take('place')).toBeUndefined()
})
