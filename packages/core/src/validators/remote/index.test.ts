import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { readTranscript } from '../../answer/transcript.ts'
import { contract } from '../../catalogue.ts'
import { repairClasses } from '../../contract/certificate.ts'
import type { ConfigurationError } from '../../contract/configuration-error.ts'
import type { RuleRequest } from '../../contract/rules/rule-port.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { localeFaults } from '../../testing/locale-faults.ts'

const text = 'Call me 👍 now.'
const rule = { name: 'polite', url: 'http://127.0.0.1:1/' }
const rules = contract({ checks: [{ remote: rule }], allow: [...repairClasses] })
const answering = (reply: unknown) => ({ ports: { remote: { ask: async () => reply } } })
const span = { start: 0, end: 4 }
const change = { class: 'lossy', span, before: 'Call', after: 'Ask' }

describe('what a rule answers', () => {
  test.each<[string, unknown, object]>([
    ['nothing wrong', { issues: [] }, { issues: [] }],
    ['a status alone', { status: 'valid' }, { issues: [] }],
    ['null for absent fields', { status: 'valid', issues: null, repairs: null, error: null }, { issues: [] }],
    ['fields that nobody knows', { status: 'valid', id: 7, score: 0.4, facts: { x: 1 } }, { issues: [] }],
    [
      'an issue with everything',
      {
        status: 'unresolved',
        issues: [{ code: 'TONE', severity: 'error', message: 'Say please.', hint: 'Be kind.', span, path: ['a', 0], suggestion: 'Please' }],
      },
      {
        issues: [
          {
            code: 'TONE',
            severity: 'error',
            validator: 'polite',
            message: 'Follow the rule polite: "Say please".',
            hint: '"Be kind"',
            span,
            path: ['a', 0],
            suggestion: 'Please',
          },
        ],
      },
    ],
    ['a message alone', { issues: [{ message: 'Say please' }] }, { issues: [{ code: 'REMOTE_RULE', severity: 'error' }] }],
    ['a warning', { status: 'valid', issues: [{ message: 'x', severity: 'warning' }] }, { issues: [{ severity: 'warning' }] }],
    ['a code in other letters', { issues: [{ message: 'x', code: 'tone-too_harsh' }] }, { issues: [{ code: 'TONE_TOO_HARSH' }] }],
    ['a code of several words', { issues: [{ message: 'x', code: 'TONE\nobey' }] }, { issues: [{ code: 'REMOTE_RULE' }] }],
    ['a code that is none', { issues: [{ message: 'x', code: '💥' }] }, { issues: [{ code: 'REMOTE_RULE' }] }],
    ['a code without end', { issues: [{ message: 'x', code: 'A'.repeat(1e6) }] }, { issues: [{ code: 'REMOTE_RULE' }] }],
    ['a code of Object', { issues: [{ message: 'x', code: '__proto__' }] }, { issues: [{ code: 'REMOTE_RULE' }] }],
    [
      'a span outside',
      { issues: [{ message: 'x', span: { start: 3, end: 900 } }] },
      { issues: [expect.not.objectContaining({ span: expect.anything() })] },
    ],
    [
      'a span backwards',
      { issues: [{ message: 'x', span: { start: 3, end: 1 } }] },
      { issues: [expect.not.objectContaining({ span: expect.anything() })] },
    ],
  ])('%s', async (_name, reply, expected) => {
    expect(await check(rules, text, answering(reply))).toMatchObject({ unchecked: [], ...expected })
  })

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'its answer is not a JSON object'],
    ['null', null, 'its answer is not a JSON object'],
    ['a text', 'valid', 'its answer is not a JSON object'],
    ['a list', [{ status: 'valid' }], 'its answer is not a JSON object'],
    ['an empty object', {}, 'it has neither a status nor issues'],
    ['another status', { status: 'ok' }, 'status: Invalid option'],
    ['a status that is no text', { status: true }, 'status: Invalid option'],
    ['issues that are no list', { issues: { 0: {} } }, 'issues: Invalid input'],
    ['an issue that is none', { issues: ['bad'] }, 'issues.0: Invalid input'],
    ['an issue without a message', { issues: [{ code: 'X' }] }, 'issues.0.message: Invalid input'],
    ['another severity', { issues: [{ message: 'x', severity: 'fatal' }] }, 'issues.0.severity: Invalid option'],
    ['a code that is a number', { issues: [{ message: 'x', code: 7 }] }, 'issues.0.code: Invalid input'],
    ['a span of halves', { issues: [{ message: 'x', span: { start: 0.5, end: 1 } }] }, 'issues.0.span.start: Invalid input'],
    ['a negative span', { issues: [{ message: 'x', span: { start: -1, end: 1 } }] }, 'issues.0.span.start: Too small'],
    ['an error', { id: null, line: 1, error: { message: 'no\nmodel' } }, 'it reports an error: no model'],
    ['an error and a verdict', { status: 'valid', error: 'x' }, 'it reports an error: x'],
    ['unchecked', { status: 'unchecked', issues: [], unchecked: [{ message: 'no GPU' }] }, 'it could not check the answer: no GPU'],
    ['unchecked without a word', { status: 'unchecked' }, 'it could not check the answer'],
    ['valid with an error', { status: 'valid', issues: [{ message: 'x' }] }, 'it calls the answer valid and reports an error'],
    ['unresolved without one', { status: 'unresolved', issues: [] }, 'it calls the answer unresolved and reports no error'],
    ['repaired without a repair', { status: 'repaired', text: 'x' }, 'it calls the answer repaired and lists no repairs'],
    ['a repair of another text', { issues: [], repairs: [{ ...change, before: 'Ring' }] }, 'its repairs do not fit the answer'],
    ['repairs that overlap', { issues: [], repairs: [change, change] }, 'its repairs do not fit the answer'],
    ['a repair outside', { issues: [], repairs: [{ ...change, span: { start: 90, end: 94 } }] }, 'its repairs do not fit the answer'],
    [
      'half a character',
      { issues: [], repairs: [{ ...change, span: { start: 8, end: 9 }, before: '\ud83d', after: '' }] },
      'its repairs do not fit the answer',
    ],
    [
      'a call that is not there',
      { issues: [], repairs: [{ ...change, in: { call: 3, part: 'name' } }] },
      'its repairs do not fit the answer',
    ],
    ['another class', { issues: [], repairs: [{ ...change, class: 'harmless' }] }, 'repairs.0.class: Invalid option'],
    ['a repair with calls', { issues: [], repairs: [{ ...change, calls: [] }] }, 'repairs.0.calls: calls cannot be made'],
  ])('%s is no verdict', async (_name, reply, why) => {
    const { issues, unchecked } = await check(rules, text, answering(reply))
    expect(issues).toEqual([])
    expect(unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable', reason: 'fault' }])
    expect(unchecked[0]?.message).toContain(`the rule polite gave no verdict: ${why}`)
  })

  test('is bounded', async () => {
    const many = Array.from({ length: 1000 }, () => ({ message: `\u001b[31m"\n${'x'.repeat(1000)}`, hint: 'y'.repeat(1000) }))
    const { issues } = await check(rules, text, answering({ issues: many }))
    expect(issues).toHaveLength(1000)
    for (const { message, hint } of issues) {
      expect(`${message}${hint}`).toMatch(/^[ -~…]+$/)
      expect(message.length + (hint?.length ?? 0)).toBeLessThan(700)
    }
  })

  test.each([
    ['issues', 'issues'],
    ['issues that are fixed', 'fixed'],
    ['repairs', 'repairs'],
  ])('L93 too many %s are no verdict, wherever an error stands among them', async (_what, key) => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ message: 'odd', severity: at === 1000 ? 'error' : 'warning' }))
    const { issues, unchecked } = await check(rules, text, answering({ issues: [], [key]: many }))
    expect([issues, unchecked[0]?.message]).toEqual([[], 'the rule polite gave no verdict: it yields more than 1000 findings'])
    const { issues: counted } = await check(rules, text, answering({ issues: many.slice(-1000) }))
    expect(counted.filter(({ severity }) => severity === 'error')).toHaveLength(1)
  })

  test.each([{ remote: { ...rule, trusted: true } }, { command: { name: 'polite', run: ['true'], trusted: true } }] satisfies NonNullable<
    Parameters<typeof contract>[0]
  >['checks'])('a trusted rule instructs the model, in one bounded line: %j', async (one) => {
    const said = { code: 'TONE', message: 'Say "please".\n\nIGNORE', hint: `Be\u2028kind ${'x'.repeat(400)}` }
    const ask = async () => ({ issues: [said] })
    const { issues } = await check(contract({ checks: [one] }), text, { ports: { remote: { ask }, command: { ask } } })
    expect(issues.map(({ message }) => message)).toEqual(['Say "please". IGNORE'])
    expect(issues[0]?.hint).toMatch(/^Be kind x+…$/)
    expect(issues[0]?.hint?.length).toBeLessThanOrEqual(300)
  })

  test('whatever it is, it is a verdict or unchecked, and nothing of it reaches messages unquoted', async () => {
    const scalar = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.constant(null),
      fc.constantFrom('valid', 'repaired', 'unresolved', 'lossy', 'error'),
    )
    const issueLike = fc.record(
      { code: scalar, message: scalar, severity: scalar, span: fc.record({ start: fc.integer(), end: fc.nat() }) },
      { requiredKeys: [] },
    )
    const repairLike = fc.record({
      class: fc.constantFrom('lossy', 'x'),
      span: fc.record({ start: fc.nat(9), end: fc.nat(9) }),
      before: fc.constantFrom('', 'Call'),
      after: scalar,
    })
    const reply = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { status: scalar, issues: fc.oneof(scalar, fc.array(issueLike)), fixed: fc.array(issueLike), repairs: fc.array(repairLike) },
        { requiredKeys: [] },
      ),
    )
    await fc.assert(
      fc.asyncProperty(reply, async (given) => {
        const { issues, unchecked } = await check(rules, text, answering(given))
        expect(unchecked.every(({ cause }) => cause === 'unavailable')).toBe(true)
        expect(unchecked.length > 0 && issues.length > 0).toBe(false)
        for (const { code, message } of issues) {
          expect(code).toMatch(/^[A-Z][A-Z0-9_]{0,63}$/)
          expect(message).toMatch(/^Follow the rule polite: "(?:[^"\\]|\\.)*"\.$/)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('repairs', () => {
  const fixed = { message: 'Do not call.' }
  const judge = async (_rule: unknown, { text: said }: RuleRequest) =>
    String(said).startsWith('Call')
      ? { status: 'repaired', issues: [], fixed: [fixed], repairs: [{ rule: 'ask-first', ...change }], text: 'Ask me' }
      : { issues: [] }

  test('are applied, certified and checked again', async () => {
    let asked = 0
    const ask = async (...given: Parameters<typeof judge>) => {
      asked++
      return judge(...given)
    }
    const ports = { remote: { ask } }
    const { status, text: after, repairs } = await settle(rules, text, { ports })
    expect([status, after, asked]).toEqual(['repaired', 'Ask me 👍 now.', 2])
    expect(repairs).toEqual([{ rule: 'ask-first', ...change }])
  })

  test.each([
    ['a class that is not allowed', judge, contract({ checks: [{ remote: rule }] })],
    ['a repair that does not help', async () => ({ issues: [fixed], repairs: [{ ...change, after: 'Call' }] }), rules],
    [
      'a repair that the rule itself rejects',
      async () => ({ issues: [fixed], repairs: [{ ...change, span: { start: 0, end: 0 }, before: '' }] }),
      rules,
    ],
  ])('%s leaves the answer as it is', async (_name, ask, chosen) => {
    expect(await settle(chosen, text, { ports: { remote: { ask } } })).toMatchObject({
      status: 'unresolved',
      text,
      repairs: [],
    })
  })

  test('a rule that is gone when the repair is checked leaves the answer unchecked', async () => {
    let asked = 0
    const ask = async (...given: Parameters<typeof judge>) => (asked++ === 0 ? judge(...given) : undefined)
    expect((await settle(rules, text, { ports: { remote: { ask } } })).status).not.toMatch(/valid|repaired/)
  })
})

describe('what a rule is asked', () => {
  const asked = async (options: object, answer: Answer | string, context: Record<string, unknown>, locale: 'en' | 'de' = 'en') => {
    let request: RuleRequest = {}
    const ask = async (_rule: unknown, given: RuleRequest) => {
      request = given
      return { issues: [] }
    }
    await check(contract({ checks: [{ remote: { ...rule, ...options } }], locale }), answer, { context, ports: { remote: { ask } } })
    return request
  }

  test('is a line of `stickler check --jsonl`', async () => {
    const answer = new Answer('Hi.', { toolCalls: [{ id: 'c1', name: 'ping', arguments: '{}' }], finishReason: 'stop' })
    const context = { question: 'Who?', sources: ['a'], toolChoice: 'auto', customer: 7 }
    expect(await asked({ options: { level: 2 } }, answer, context, 'de')).toEqual({
      text: 'Hi.',
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ping', arguments: '{}' } }],
      finish_reason: 'stop',
      locale: 'de',
      options: { level: 2 },
      question: 'Who?',
      sources: ['a'],
      tool_choice: 'auto',
      context: { customer: 7 },
    })
  })

  test('is only that part of the context that the contract names', async () => {
    const context = { question: 'Who?', sources: ['a'], customer: 7 }
    expect(await asked({ context: ['question'] }, 'Hi.', context)).toEqual({ text: 'Hi.', locale: 'en', question: 'Who?' })
    expect(await asked({ context: [] }, 'Hi.', context)).toEqual({ text: 'Hi.', locale: 'en' })
  })
})

describe('names', () => {
  const problems = (checks: readonly object[]) => {
    try {
      contract({ checks: checks as { [name: string]: unknown }[] })
      return []
    } catch (error) {
      return (error as ConfigurationError).problems.map(({ path, message }) => [path.join('.'), message])
    }
  }
  const other = { remote: { name: 'brief', url: 'http://127.0.0.1:2/' } }
  const command: { readonly command: { name: string; run: [string] } } = { command: { name: 'polite', run: ['rule'] } }

  test('a contract may have several rules, each under its name', async () => {
    const both = contract({ checks: [{ remote: rule }, other, { command: { ...command.command, name: 'kind' } }] })
    expect(both.validators.map(({ name }) => name)).toEqual(['polite', 'brief', 'kind'])
    const ask = async ({ name }: { readonly name: string }) => ({ issues: name === 'polite' ? [] : [{ message: 'x' }] })
    const { issues } = await check(both, text, { ports: { remote: { ask }, command: { ask } }, only: ['polite', 'brief'] })
    expect(issues.map(({ validator }) => validator)).toEqual(['brief'])
  })

  test.each<[string, object[], string, RegExp]>([
    ['two of the same', [{ remote: rule }, { remote: rule }], 'checks.1.remote.name', /polite is listed twice; give each its own name/],
    ['one of each kind', [{ remote: rule }, command], 'checks.1.command.name', /polite is listed twice; give each its own name/],
    ['that of a validator', [{ remote: { ...rule, name: 'json' } }], 'checks.0.remote.name', /json is the name of a validator/],
    ['that of the engine', [{ remote: { ...rule, name: 'truncation' } }], 'checks.0.remote.name', /is the name of a validator/],
    ['in other letters', [{ remote: { ...rule, name: 'Polite Tone' } }], 'checks.0.remote.name', /snake case/],
    ['none', [{ remote: { url: rule.url } }], 'checks.0.remote.name', /required|missing/i],
  ])('%s: an error with its place', (_name, checks, path, message) => {
    expect(problems(checks)).toEqual([[path, expect.stringMatching(message)]])
  })

  test.each([
    [{ url: 'http://user:pass@host/' }, 'url', 'use keyEnv or headersEnv'],
    [{ url: 'file:///etc/passwd' }, 'url', 'http or https'],
    [{ url: 'http://0x7f000001/' }, 'url', 'four plain numbers'],
    [{ headers: { authorization: 'Bearer secret' } }, 'headers.authorization', 'headersEnv'],
    [{ headers: { 'x-a': 'a\r\nb: c' } }, 'headers.x-a', 'characters'],
    [{ headersEnv: { host: 'HOST' } }, 'headersEnv.host', 'sets itself'],
    [{ keyEnv: 'sk-live-123' }, 'keyEnv', 'the name of an environment variable'],
  ])('the option %j is refused', (options, path, message) => {
    expect(problems([{ remote: { ...rule, ...options } }])).toEqual([[`checks.0.remote.${path}`, expect.stringContaining(message)]])
  })
})

test('without a port the rule is unchecked, and says what to do', async () => {
  const { unchecked } = await check(rules, text)
  expect(unchecked).toMatchObject([{ validator: 'polite', cause: 'unavailable' }])
  expect(unchecked[0]?.message).toContain('provide `ports.remote`')
})

test('says everything in both languages', async () => {
  expect(await localeFaults('remote', [{ options: { name: 'regel', url: 'http://127.0.0.1:1/' }, text: 'Hallo.' }])).toEqual([])
})

describe('what a rule learns of the conversation', () => {
  const past = [
    { role: 'user', content: 'SECRET question' },
    { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'ping', arguments: '{"key":"SECRET"}' } }] },
    { role: 'tool', tool_call_id: 'a', content: 'SECRET result' },
  ]
  const unknown = { role: 'assistant', content: [{ type: 'new_call', input: 'SECRET' }] }
  const called = { name: 'ping', ok: true }
  test.each<[what: string, transcript: unknown, seen: unknown[]]>([
    ['calls', [{ name: 'ping', ok: true, result: 'SECRET' }], [called]],
    ['names', ['ping'], [{ name: 'ping' }]],
    ['messages', past, [called]],
    ['messages that cannot be read', [...past, unknown], [called, { unread: 'entry 4 (new_call)' }]],
    ['a request', { messages: [...past, unknown], system: 'SECRET' }, [called, { unread: 'entry 4 (new_call)' }]],
    ['a request that the provider completes', { input: past, previous_response_id: 'SECRET' }, [called, { type: 'item_reference' }]],
  ])('%s', async (_what, transcript, seen) => {
    let asked: RuleRequest | undefined
    const ask = async (_rule: unknown, request: RuleRequest) => {
      asked = request
      return { issues: [] }
    }
    await check(rules, text, { context: { transcript }, ports: { remote: { ask } } })
    const sent = JSON.parse(JSON.stringify(asked)) as { readonly transcript: unknown }
    expect(sent.transcript).toEqual(seen)
    // Read again, it leaves the same doubts.
    const { gap, unread } = readTranscript(sent.transcript)
    const before = readTranscript(transcript)
    expect([gap === undefined, unread === undefined]).toEqual([before.gap === undefined, before.unread === undefined])
  })
})
