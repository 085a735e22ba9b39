import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator } from '../../contract/validator.ts'
import { scripted } from '../../testing/index.ts'
import { check } from '../check/check.ts'
import { issueKey } from '../check/report.ts'
import { enforce, enforceStream } from '../enforce.ts'
import { settle } from './settle.ts'

const properties = { count: { type: 'integer' }, host_name: { type: 'string' }, deep: { type: 'boolean' } }
const tools = [{ name: 'ping', parameters: { type: 'object', properties } }]
const techtime: ContractByName = { preset: 'techtime' }

const calling = (given: string) => new Answer('', { toolCalls: [{ name: 'ping', arguments: given }] })

async function ran(given: string, input: ContractByName = techtime) {
  const runner = scripted([{ toolCalls: [{ name: 'ping', arguments: given }] }])
  const outcome = await enforce({ contract: contract(input), runner, prompt: 'Go.', context: { tools } })
  const { status, attempts, toolCalls, fixed, issues, repairs } = outcome
  return {
    status,
    attempts,
    given: toolCalls[0]?.arguments,
    fixed: fixed.map(({ code }) => code),
    issues: issues.map(({ code }) => code),
    classes: [...new Set(repairs.map((one) => one.class))],
  }
}

describe('what only warns is repaired where nothing is lost', () => {
  test.each<[string, string, string, string[], string[]]>([
    ['a number in quotes', '{"count": "3"}', '{"count": 3}', ['WRONG_TYPE'], []],
    ['a key in another spelling', '{"hostName": "gw"}', '{"host_name": "gw"}', ['UNKNOWN_ARGUMENT'], []],
    ['both', '{"hostName": "gw", "deep": "true"}', '{"host_name": "gw", "deep": true}', ['UNKNOWN_ARGUMENT', 'WRONG_TYPE'], []],
    ['what can be', '{"count": "3", "deep": "maybe"}', '{"count": 3, "deep": "maybe"}', ['WRONG_TYPE'], ['WRONG_TYPE']],
  ])('%s', async (_case, given, after, fixed, issues) => {
    expect(await ran(given)).toEqual({ status: 'repaired', attempts: 1, given: after, fixed, issues, classes: ['lossless'] })
  })

  test.each<[string, string, ContractByName]>([
    ['a similar key is a guess', '{"hostnme": "gw"}', techtime],
    ['a guess that is only a last resort', '{"hostnme": "gw"}', { ...techtime, lastResort: ['guess'] }],
    ['what no rule can tell', '{"count": "three"}', techtime],
    ['repairs after the last retry are for errors', '{"count": "3"}', { ...techtime, repair: 'last' }],
    ['no repairs', '{"count": "3"}', { ...techtime, repair: 'never' }],
    ['no class is allowed', '{"count": "3"}', { ...techtime, allow: [] }],
    ['shadow changes nothing', '{"count": "3"}', { ...techtime, mode: 'shadow' }],
  ])('%s: the warning rides along', async (_case, given, input) => {
    expect(await ran(given, input)).toMatchObject({ status: 'valid', attempts: 1, given, fixed: [], classes: [] })
    expect((await ran(given, input)).issues).toHaveLength(1)
  })

  test.each([
    ['a similar key', '{"cont": 3}', '{"count": 3}', 'UNKNOWN_ARGUMENT'],
    ['a value in an object', '{"host_name": {"value": "gw"}}', '{"host_name": "gw"}', 'WRONG_TYPE'],
  ])('%s is repaired where the contract allows guesses', async (_case, given, after, code) => {
    const expected = { status: 'repaired', attempts: 1, given: after, fixed: [code], issues: [], classes: ['guess'] }
    for (const strict of [false, true]) expect(await ran(given, { ...techtime, strict, allow: ['lossless', 'guess'] })).toEqual(expected)
  })

  test.each([
    ['null for an optional argument is its absence', '{"count": 3, "deep": null}', '{"count": 3}', {}],
    ['all of them', '{"count": null, "deep": null}', '{}', {}],
    ['an alias of an argument', '{"times": 3}', '{"count": 3}', { times: 'count' }],
    ['and its value', '{"times": "3"}', '{"count": 3}', { times: 'count' }],
  ])('%s', async (_case, given, after, aliases) => {
    for (const strict of [false, true]) {
      const input = { ...techtime, checks: [{ tool_calls: { strict, ...(Object.keys(aliases).length > 0 && { aliases }) } }] }
      expect(await ran(given, input)).toMatchObject({ status: 'repaired', given: after, issues: [], classes: ['lossless'] })
    }
  })

  test('in a stream, and where no model is asked, as in a run', async () => {
    const turn = { toolCalls: [{ name: 'ping', arguments: '{"count": "3"}' }] }
    for (const stream of ['verified', 'hold', 'pass'] as const) {
      const rules = contract({ ...techtime, stream })
      const pieces = enforceStream({ contract: rules, runner: scripted([turn]), prompt: 'Go.', context: { tools } })
      for await (const _piece of pieces) void _piece
      expect(await pieces.outcome).toMatchObject({ status: 'repaired', toolCalls: [{ arguments: '{"count": 3}' }] })
    }
    const settled = await settle(contract(techtime), calling('{"count": "3"}'), { context: { tools } })
    expect([settled.status, settled.toolCalls[0]?.arguments, settled.fixed.length]).toEqual(['repaired', '{"count": 3}', 1])
  })

  test('not in what was cut off: in a run, in a stream, where no model is asked, and where a further call fails', async () => {
    const rules = contract({ truncated: 'warning', checks: ['tool_calls', { max_words: { limit: 1 } }] })
    const toolCalls = [{ name: 'ping', arguments: '{"count": "3"}' }]
    for (const text of ['', 'one two']) {
      const turn = { text, toolCalls, finishReason: 'length' as const }
      const script = [turn, { failure: { kind: 'connection' as const } }]
      const options = () => ({ contract: rules, runner: scripted(script), prompt: 'Go.', context: { tools } })
      const expected = text === '' ? { status: 'valid', toolCalls, repairs: [], fixed: [] } : { status: 'failed', repairs: [] }
      expect(await enforce(options())).toMatchObject(expected)
      const pieces = enforceStream(options())
      for await (const _piece of pieces) void _piece
      expect(await pieces.outcome).toMatchObject(expected)
      const cut = new Answer(text, { toolCalls, finishReason: 'length' })
      expect(await settle(rules, cut, { context: { tools } })).toMatchObject({ repairs: [], toolCalls })
    }
  })

  test('also behind the repair of an error', async () => {
    expect(await ran("{'count': '3'}")).toMatchObject({ status: 'repaired', given: '{"count": 3}', issues: [] })
  })

  test('a repair that makes anything worse is not made', async () => {
    const loud = (worse: string) =>
      defineValidator({
        name: 'quiet',
        summary: 'The answer is quiet.',
        options: z.strictObject({}),
        codes: {
          LOUD: { severity: 'warning', when: 'It is loud.', fix: 'Be quiet.' },
          ODD: { severity: 'warning', when: 'It is odd.', fix: 'Be even.' },
        },
        instruct: () => 'Be quiet.',
        prepare: () => ({
          *check({ text }) {
            if (text.includes('!')) yield issue('LOUD', 'Be quiet.')
            if (text.includes('?')) yield issue('ODD', 'Be even.')
          },
          *repair({ text }) {
            yield { rule: 'hush', class: 'lossless', span: { start: 0, end: text.length }, before: text, after: worse }
          },
        }),
      })({})
    const settled = async (worse: string) => {
      const { status, text: final } = await settle(contract({ checks: [loud(worse), { max_words: { limit: 3 } }] }), 'Hey!')
      return [status, final]
    }
    expect(await settled('Hey.')).toEqual(['repaired', 'Hey.'])
    for (const worse of ['Hey?', 'Hey!!', 'one two three four', ' ']) expect(await settled(worse)).toEqual(['valid', 'Hey!'])
  })

  test('whatever is called: no error, no new warning, and nothing to repair a second time', async () => {
    const value = fc.oneof(
      fc.constantFrom('"3"', '3', '3.5', '"true"', 'true', 'null', '"x"', '[1]', '{}', '"null"'),
      fc.json({ maxDepth: 1 }),
    )
    const key = fc.constantFrom('count', 'Count', 'host_name', 'hostName', 'deep', 'deeep', 'other')
    const given = fc
      .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 4 })
      .map((pairs) => `{${pairs.map(([name, one]) => `"${name}": ${one}`).join(', ')}}`)
    const rules = contract(techtime)
    await fc.assert(
      fc.asyncProperty(given, async (text) => {
        const before = await check(rules, calling(text), { context: { tools } })
        const settled = await settle(rules, calling(text), { context: { tools } })
        const known = new Set(before.issues.map(issueKey))
        expect(settled.issues.every((one) => one.severity === 'warning' && known.has(issueKey(one)))).toBe(true)
        expect(settled.repairs.length > 0).toBe(settled.issues.length < before.issues.length)
        expect((await settle(rules, new Answer('', settled), { context: { tools } })).repairs).toEqual([])
      }),
    )
  })
})
