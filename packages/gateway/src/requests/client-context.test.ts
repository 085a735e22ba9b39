import { Answer, type ContractOptions, check, contract } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClientContext } from './client-context.ts'

const runs = 300

const names = fc.constantFrom('pay', 'refund', 'ask')
const lists = fc.array(names, { maxLength: 4 })
const call = (name: string) => ({ id: name, type: 'function', function: { name, arguments: '{}' } })
const turn = (name: string) => ({ role: 'assistant', content: null, tool_calls: [call(name)] })

/** The codes with their places, after a conversation with these calls; undefined when the request is refused. */
async function verdict(
  rules: object,
  before: readonly string[],
  now: readonly string[],
  stickler?: unknown,
): Promise<string[] | undefined> {
  const chat = { model: 'm', messages: before.map(turn) }
  const body = stickler === undefined ? chat : { ...chat, stickler }
  try {
    const { context } = readClientContext(body, {}, chat as Parameters<typeof readClientContext>[2])
    // What the engine does with the prompt of a request whose context has no transcript.
    const told = { transcript: chat.messages, ...context }
    const input = { checks: [{ tool_sequence: { ...rules, strict: true } }] } as ContractOptions
    const answer = new Answer('', { toolCalls: now.map((name) => ({ name, arguments: '{}' })) })
    const { issues, unchecked } = await check(contract(input), answer, { context: told })
    expect(unchecked).toEqual([])
    return issues.map(({ code, path }) => `${code} ${path?.join('.')}`)
  } catch (error) {
    if (error instanceof HttpError && error.status === 400) return undefined
    throw error
  }
}

describe('what a client adds', () => {
  test.each<[unknown]>([
    [{ transcript: [] }],
    [{ transcript: ['ask'] }],
    [{ transcript: { messages: [] } }],
    [{ context: { transcript: [] } }],
  ])('does not hide a call of the conversation: %j', async (stickler) => {
    expect(await verdict({ at_most: { pay: 1 } }, ['pay'], ['pay'], stickler)).toEqual(['UNEXPECTED_CALL tool_calls.0'])
  })

  test('has no unknown field', async () => {
    const chat = { model: 'm', messages: [] } as unknown as Parameters<typeof readClientContext>[2]
    const read = (stickler: object) => () => readClientContext({ ...chat, stickler }, {}, chat)
    expect(read({ souces: 2 })).toThrow('unknown field "souces" in stickler; did you mean "sources"?')
    expect(read({ contract: '' })).toThrow(/^unknown field "contract" in stickler; /)
    for (const name of ['messages', 'previous_response_id', '__proto__x', ''])
      expect(await verdict({ at_most: { pay: 1 } }, ['pay'], ['pay'], { [name]: [] })).toBeUndefined()
  })

  test('cannot keep a transcript elsewhere, so that the order is not checked', async () => {
    for (const transcript of [{ previous_response_id: 'resp_1' }, [{ type: 'item_reference' }], [''], [{ name: '' }]])
      expect(await verdict({ at_most: { pay: 1 } }, ['pay'], ['pay'], { transcript })).toBeUndefined()
  })

  test('counts as earlier calls', async () => {
    expect(await verdict({ at_most: { pay: 1 } }, [], ['pay'], { transcript: ['pay'] })).toEqual(['UNEXPECTED_CALL tool_calls.0'])
    expect(await verdict({ requires: { pay: ['ask'] } }, [], ['pay'], { transcript: [{ name: 'ask', ok: true }] })).toEqual([])
  })

  test('does not replace what the contract expects', async () => {
    const told = await verdict({ expect: ['refund'] }, [], ['pay'], { expected_sequence: ['pay'], transcript: [] })
    expect(told).toEqual(['UNEXPECTED_CALL tool_calls.0', 'MISSING_CALL tool_calls'])
    expect(await verdict({ expect: ['refund'] }, [], ['refund'], { expected_sequence: ['pay'] })).not.toEqual([])
  })

  test('takes no issue away, whatever it is', async () => {
    const limits = fc.dictionary(names, fc.integer({ min: 0, max: 2 }))
    const rules = fc.oneof(
      fc
        .record({ at_most: limits, never: lists, order: fc.uniqueArray(names) })
        .map((rule) => ({ ...rule, never: [...rule.never, 'format'] })),
      fc.record({ expect: lists, match: fc.constantFrom('exact', 'prefix') }),
    )
    const calls = fc.oneof(
      lists,
      lists.map((list) => list.map((name) => ({ name, ok: true }))),
      lists.map((list) => list.map(turn)),
    )
    const transcripts = fc.oneof(calls, fc.record({ messages: calls }), fc.anything())
    const told = { transcript: transcripts, expected_sequence: fc.oneof(lists, fc.anything()) }
    const others = { messages: calls, input: calls, conversation: fc.anything() }
    const added = fc.oneof(
      fc.record(told, { requiredKeys: [] }),
      fc.record({ ...told, ...others }, { requiredKeys: [] }).map((context) => ({ context })),
    )
    await fc.assert(
      fc.asyncProperty(rules, lists, lists, added, async (rule, before, now, stickler) => {
        // More earlier calls may be the expected ones.
        fc.pre(!('expect' in rule) || !JSON.stringify(stickler)?.includes('transcript'))
        const left = await verdict(rule, before, now, stickler)
        if (left === undefined) return
        expect(left).toEqual(expect.arrayContaining((await verdict(rule, before, now)) ?? []))
      }),
      { numRuns: runs },
    )
  })
})
