import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallableTools } from '../notations/callable-tools.ts'
import { readFencedCalls } from './fenced.ts'
import { mayBeCalls, mayBeFencedCalls } from './may-be-calls.ts'

const runs = 400

const tools = new CallableTools([
  { name: 'ping', schema: { properties: { host: {} } } },
  { name: 'net.ping_all', schema: {} },
])
const space = fc.constantFrom('', ' ', '\n', '\t ', '\r\n', '\u00a0')
const names = fc.constantFrom(...tools.names)
const digits = fc.constantFrom('0', '7', '-1', '1.5', '2e+8', '1E-3', '9'.repeat(500), `${'9'.repeat(500)}.5e+10`)
const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  digits,
  fc.constant('"\\u00e9\\n\\\\"'),
)
const python = fc.oneof(
  fc.constantFrom('True', 'None', 'false', '-3', '(1, 2)', '[]', "{'a': 1,}"),
  fc.constantFrom(`"it's"`, `'a\\x41\\u00e9\\n'`, `""`, '"\u{1f600}"'),
)
const jsonCall = fc
  .tuple(names, space, json)
  .map(([name, gap, value]) => `{${gap}"name":${gap}"${name}",${gap}"arguments"${gap}: {"host":${value}}${gap}}`)
const pythonCall = fc.tuple(names, space, python).map(([name, gap, value]) => `${name}${gap}(${gap}host${gap}=${gap}${value}${gap})`)
const calls = fc.oneof(
  jsonCall,
  fc.array(jsonCall, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
  fc.array(pythonCall, { minLength: 1, maxLength: 3 }).map((all) => all.join('; ')),
  fc.array(pythonCall, { minLength: 1, maxLength: 3 }).map((all) => `[${all.join(', ')}]`),
  fc.array(pythonCall, { minLength: 1, maxLength: 3 }).map((all) => all.join(',\n')),
  fc.array(pythonCall, { minLength: 1, maxLength: 3 }).map((all) => `[${all.map((one) => JSON.stringify(one)).join(', ')}]`),
  pythonCall.map((one) => one.replaceAll('_', '\\_').replace('ping', 'PING')),
  fc.tuple(names, python).map(([name, value]) => `[{'name': '${name}', "arguments": {'host': ${value}}}]`),
  jsonCall.map((one) => `<tool_call>\n${one}\n</TOOL_CALL>`),
)

test('every beginning of calls may be one of calls', () => {
  let found = 0
  fc.assert(
    fc.property(calls, space, (text, gap) => {
      const whole = gap + text
      if (readFencedCalls(whole, tools) === undefined) return
      found++
      const may = text.startsWith('<') ? mayBeFencedCalls : mayBeCalls
      const beginnings = Array.from({ length: whole.length + 1 }, (_, end) => whole.slice(0, end))
      expect(beginnings.find((one) => !may(one, tools))).toBeUndefined()
    }),
    { numRuns: runs },
  )
  expect(found).toBeGreaterThan(runs / 4)
})

test.each([
  'The',
  'Pinn',
  'pinn is',
  'pinn(',
  'ping is',
  'ping(host) is it',
  '[1] is where',
  '{name} is a word',
  '# ping(',
  '"ping"',
  '- ping(host=1)',
  'ping[0]',
])('%j may not', (text) => {
  expect(mayBeCalls(text, tools)).toBe(false)
})
