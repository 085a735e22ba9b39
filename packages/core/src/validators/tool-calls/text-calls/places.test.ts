import { describe, expect, test } from 'vitest'
import { type ContractOptions, contract } from '../../../catalogue.ts'
import { settle } from '../../../engine/repair/settle.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'

const parameters = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
const area = { type: 'object', properties: { width: { type: 'integer' }, unit: { type: 'string' } }, required: ['width'] }
const tools = [...['pay', 'mail', 'gcd'].map((name) => ({ name, parameters })), { name: 'area', parameters: area }]
const fence = '```'
const args = (a: number): string => `${fence}json\n{"a": ${a}}\n${fence}`
const json = (name: string, a: number): string => `${fence}json\n{"name": "${name}", "arguments": {"a": ${a}}}\n${fence}`
const tag = (name: string, a: number): string => `<tool_call>{"name": "${name}", "arguments": {"a": ${a}}}</tool_call>`

interface Setting {
  readonly allow?: NonNullable<ContractOptions['allow']>
  readonly dialects?: 'any' | ('hermes' | 'python')[]
}

/** The calls that a text becomes, what is wrong with it, or `text`; the same in streams, however it is cut. */
async function fate(
  text: string,
  strict = false,
  { allow = ['lossless', 'lossy', 'guess'], dialects = [] }: Setting = {},
): Promise<string> {
  const rules = contract({ checks: [{ tool_calls: { strict, dialects } }], allow })
  await assertStreamable(rules, text, [1, 7, [3, 1, 11]], { context: { tools } })
  const { status, toolCalls, issues } = await settle(rules, text, { context: { tools } })
  if (status === 'valid') return 'text'
  if (status === 'repaired') return toolCalls.map(({ name, arguments: given }) => `${name} ${Object.values(JSON.parse(given))}`).join('; ')
  return [...new Set(issues.map(({ code }) => code))].join()
}

describe('all calls of an answer are made, in order', () => {
  test.each<[string, string, string?]>([
    ['paragraphs with words between them', 'First I pay.\n\n[pay(a=5)]\n\nThen I send the mail.\n\n[mail(a=6)]'],
    ['words between and behind them', '[pay(a=5)]\n\nThen I send the mail.\n\n[mail(a=6)]\n\nBoth are done.'],
    ['fences', `First I pay.\n\n${json('pay', 5)}\n\nThen I send the mail.\n\n${json('mail', 6)}`],
    ['marks and a paragraph', `${tag('pay', 5)}\n\nThen the mail.\n\n[mail(a=6)]`],
    ['a paragraph and marks', `I pay.\n\n[pay(a=5)]\n\nThen the mail.\n\n${tag('mail', 6)}`],
    ['lines of a paragraph with words behind them', 'I do both.\npay(a=5)\nmail(a=6)\nThis is all.'],
    ['a list and an explanation', '[pay(a=5), mail(a=6)]\n\nThis pays and sends the mail.'],
    ['a function in a function', '{"type": "function", "function": {"name": "gcd", "parameters": {"a": 36}}}', 'gcd 36'],
    ['all of it as inline code', '`gcd(a=36)`', 'gcd 36'],
    ['a fence of tildes', `~~~json\n{"name": "gcd", "arguments": {"a": 36}}\n~~~`, 'gcd 36'],
    ['a fence of tildes below words', `I compute it.\n\n~~~\ngcd(a=36)\n~~~\n`, 'gcd 36'],
  ])('%s', async (_what, text, expected = 'pay 5; mail 6') => {
    expect(await fate(text)).toBe(expected)
    expect(await fate(text, true)).toBe(expected)
  })
})

describe('where only some of it can be made, none is', () => {
  test.each([
    ['one with wrong arguments', 'I pay.\n\n[pay(b="x")]\n\nThen the mail.\n\n[mail(a=6)]'],
    ['one of an unknown tool', 'I pay.\n\n[pays(a=5)]\n\nThen the mail.\n\n[mail(a=6)]'],
    ['a fence of an unknown tool', `I pay.\n\n${json('pays', 5)}\n\nThen the mail.\n\n[mail(a=6)]`],
    ['one that cannot be read', 'I pay.\n\n[pay(a=five)]\n\nThen the mail.\n\n[mail(a=6)]'],
    ['one amid words', 'First pay(a=5) is made\n\nThen the mail.\n\n[mail(a=6)]'],
    ['one that is an example', 'For example:\n\n[pay(a=5)]\n\nNow I send the mail.\n\n[mail(a=6)]'],
    ['one in inline code', 'I looked at `pay(a=5)`.\n\nI send the mail.\n\n[mail(a=6)]'],
    ['the same twice', 'I pay.\n\n[pay(a=5)]\n\nOnce more.\n\n[pay(a=5)]'],
    ['one in marks that are shown', `In code: \`${tag('pay', 5)}\`\n\nNow the mail.\n\n[mail(a=6)]`],
    ['a name, a colon and arguments', '[pay(a=5)]\n\nmail: {"a": 6}'],
    ['a name and arguments in brackets', `I pay.\n\n[pay(a=5)]\n\n('mail', {"a": 6})`],
    ['a name as a key', '[pay(a=5)]\n\n{"mail": "six"}'],
    ['a name and a value in a list', '["mail", 6]\n\nI pay.\n\n[pay(a=5)]'],
    ['one behind a colon', 'I pay.\n\n[pay(a=5)]\n\nThen the mail: [mail(a=6)]'],
    ['items of a list', 'I pay.\n\n[pay(a=5)]\n\n- `mail(a=6)`'],
    ['one amid a program', `${fence}js\nlet x = 1\nmail(a=6)\n${fence}\nI pay.\n\n[pay(a=5)]`],
    ['one in a fence of a list', `- look:\n\n  ${fence}\n  mail(a=6)\n  ${fence}\n\nI pay.\n\n[pay(a=5)]`],
    ['one in a fence that is open', `I pay.\n\n[pay(a=5)]\n\n${fence}\nlet x = 1\nmail(a=6)\n`],
    ['one beside marks', `mail: {"a": 6}\n${tag('pay', 5)}`],
    ['one that is taken back', '[pay(a=5)]\n\nThe mail.\n\n[mail(a=6)]\n\nI did not send it.'],
  ])('%s', async (_what, text) => {
    expect(await fate(text)).toBe('TOOL_CALL_IN_TEXT')
  })
})

describe('a call with what may be its result behind it is reported', () => {
  test.each([
    ['a fence', `[gcd(a=36)]\n${fence}\n12\n${fence}`],
    ['a fence with words that take back', `[gcd(a=36)]\n\n${fence}\nnot found?\n${fence}`],
    ['inline code', 'I compute it.\n\n[gcd(a=36)]\n\n`12` is it.'],
    ['a result', 'gcd(a=36)\nResult: 12'],
    ['an observation', 'gcd(a=36)\nObservation: done'],
    ['a result of the last of two', '[pay(a=5)]\n\nThe mail.\n\n[mail(a=6)]\nOutput: sent'],
  ])('%s', async (_what, text) => {
    for (const strict of [false, true]) expect(await fate(text, strict)).toBe('TOOL_CALL_IN_TEXT')
  })
})

describe('a call without marks amid words is a guess, whatever the model writes', () => {
  const sure: Setting = { allow: ['lossless'], dialects: 'any' }

  test.each([
    ['words around it', 'Yesterday I made this call:\n\n[pay(a=5)]\n\nand it worked.'],
    ['words above it', 'I pay.\n\npay(a=5)'],
    ['words behind it', '[pay(a=5)]\n\nThis pays.'],
    ['marks beside it', `I pay.\n\npay(a=5)\n\n${tag('mail', 6)}`],
    ['a fence beside it', `pay(a=5)\n\nThen the mail.\n\n${json('mail', 6)}`],
  ])('%s', async (_what, text) => {
    expect(await fate(text, false, sure)).toBe('TOOL_CALL_IN_TEXT')
    expect(await fate(text, false, { dialects: 'any' })).toMatch(/^pay 5/)
  })

  test.each([
    ['alone', 'pay(a=5)'],
    ['several alone', '[pay(a=5)]\n\n[pay(a=6)]'],
    ['in a fence', `I pay.\n\n${json('pay', 5)}`],
    ['in marks', `I pay.\n\n${tag('pay', 5)}`],
  ])('not %s', async (_what, text) => {
    expect(await fate(text, false, sure)).toMatch(/^pay 5/)
  })

  test('all calls of an answer are made, or none: marks of a named dialect do not leave the others as text', async () => {
    const both = `${json('pay', 5)}\n\n${tag('mail', 6)}`
    expect(await fate(both, false, { allow: ['lossless'], dialects: ['hermes'] })).toBe('TOOL_CALL_IN_TEXT')
    expect(await fate(both, false, { dialects: ['hermes'] })).toBe('pay 5; mail 6')
  })
})

test.each([
  ['verbs that a reader may be told', 'First I write the payment.\n\n[pay(a=5)]\n\nThen I use the mail.\n\n[mail(a=6)]'],
  ['what the model does not know', "I don't know the amount, so I look it up.\n\n[pay(a=5)]"],
  ['a condition that it looks up', 'Let me check if the bill is open.\n\n[pay(a=5)]'],
  ['a need of its own', 'I need to use the mail tool:\n\n[mail(a=6)]'],
  ['a need and a fence', `I need to use the mail tool:\n\n${json('mail', 6)}`],
])('a call that words may only show is an issue: %s', async (_what, text) => {
  expect(await fate(text)).toBe('TOOL_CALL_IN_TEXT')
})

describe('what is shown is text, and an issue where the contract is strict', () => {
  test.each([
    ['something for the reader to run', 'Then run this:\n\n[pay(a=5)]'],
    ['JSON without quotes at keys', "{name: 'pay', arguments: {a: 5}}"],
    ['a list of JSON without quotes at keys', '[{ name: "pay", arguments: {a: 5}}]'],
    ['inline code', 'You could call `pay(a=5)` here.'],
    ['an example', 'For example:\n\n[pay(a=5)]'],
    ['a refusal', 'I cannot do that. You would have to call:\n\n[pay(a=5)]'],
    ['a call that is taken back', '[pay(a=5)]\n\nI did not make this call.'],
    ['a question', '[pay(a=5)]\n\nShall I?'],
    ['an explanation on the same line', '[gcd(a=36)] computes it.'],
    ['a name and arguments in brackets', `('gcd', {"a": 36})`],
    ['a name, a colon and arguments', 'gcd: {"a": 36}'],
    ['words behind arguments', 'gcd{"a": 36} and more'],
    ['arguments without quotes', 'I mean gcd: {a: 36}'],
    ['a gap before the bracket', 'gcd (a=36) is the call'],
    ['a colon before the bracket', 'GCD: (a=36)'],
    ['a namespace', 'functions.gcd(a=36) is the call'],
    ['a name and a value in a list', "['gcd', 36]"],
    ['a name as a key', '{"gcd": 36}'],
    ['the name in JSON of no known shape', '{"tool": "gcd", "a": 36}'],
    ['JSON that is cut off', '{"name": "gcd", "arguments": {"a": 36}'],
    ['a name in marks', 'Now **gcd**(a=36) or so'],
    ['an arrow', 'I do gcd -> {"a": 36}'],
    ['a call behind a colon', 'Now: gcd(a=36)'],
    ['items of a list', '1. gcd(a=36)\n2. gcd(a=6)'],
    ['a later line of a program', `${fence}js\nlet x = 1\ngcd(a=36)\n${fence}`],
    ['a fence of a list', `- look:\n\n  ${fence}json\n  {"name": "gcd", "arguments": {"a": 36}}\n  ${fence}`],
    ['arguments without names', 'area(3, "cm")'],
    ['a bracket that is missing', '[gcd(a=36]'],
    ['a name and arguments in a list', "['gcd', {'a': 36}]"],
    ['comments of a program', `${fence}python\n# First\ngcd(a=36)\n${fence}`],
  ])('%s', async (_what, text) => {
    expect(await fate(text)).toBe('text')
    expect(await fate(text, true)).toBe('TOOL_CALL_IN_TEXT')
  })

  test.each([
    ['a block quote', '> The page says:\n> [pay(a=5)]'],
    ['the name of a tool', 'The tool `pay` takes an amount (a).'],
    ['another function', 'In Python, `print(a=5)` is a call: print("x")'],
    ['a signature', 'It is declared as pay(amount).'],
    ['a remark', 'I can pay (in euro), or mail: both work.'],
    ['names of tools', 'Tools: ["pay", "mail"], (`gcd`, `area`).'],
    ['a fence below a heading', `## Result\n${args(5)}`],
    ['a fence below words', `I pay.\n${args(5)}`],
    ['a fence below the name of a tool', `gcd:\n${args(36)}`],
    ['a block quote over lines', '> gcd:\n> {"a": 36}'],
  ])('not %s', async (_what, text) => {
    expect(await fate(text, true)).toBe('text')
  })
})
