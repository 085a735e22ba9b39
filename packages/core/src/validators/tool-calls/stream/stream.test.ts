import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../../answer/answer.ts'
import { AnswerReader } from '../../../answer/reader.ts'
import { contract } from '../../../catalogue.ts'
import { check } from '../../../engine/check/check.ts'
import { assertStreamable } from '../../../testing/assert-streamable.ts'
import { markAt } from '../dialects/marks.ts'
import { toolCalls } from '../index.ts'
import { CallableTools } from '../notations/callable-tools.ts'
import { readFencedCalls } from '../text-calls/fenced.ts'
import { findTextToolCalls } from '../text-calls/find.ts'
import { mayBeCalls, mayBeFencedCalls } from '../text-calls/may-be-calls.ts'
import { CallPlaces } from '../text-calls/places.ts'

const parameters = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] }
const tools = [
  { name: 'ping_host', parameters },
  { name: 'ping', parameters: {} },
  { name: 'net.scan', parameters },
]
const context = { tools }
const definitions = tools.map(({ name, parameters: schema }) => ({ name, schema }))
const byName = new CallableTools(definitions)
const prepared = toolCalls.definition.prepare({ strict: false, cutoff: 0.6, textCalls: 'convert', dialects: [], soundOnly: false })
const call = '{"name": "ping_host", "arguments": {"host": "gw"}}'
const fence = '```'

/** How far the text is safe after each of the chunks. */
function progress(chunks: readonly string[]): number[] {
  const reader = new AnswerReader()
  const stream = prepared.incremental?.({ locale: 'en', context, ports: {}, signal: new AbortController().signal })
  let length = 0
  return chunks.map((chunk) => {
    reader.push(chunk)
    length += chunk.length
    return Math.min(length, stream?.push(chunk, reader).safe ?? -1)
  })
}

describe('prose flows up to the first place where a call could begin', () => {
  test.each<[string, string, string]>([
    ['plain prose', 'The network is fine.', ''],
    ['the first letter of prose', 'T', ''],
    ['a word that may become the name of a tool', '', 'pin'],
    ['a word that has not', 'pinned notes', ''],
    ['the name of a tool that is not called', 'ping_host is a tool', ''],
    ['the name of a tool and a bracket', '', 'ping_host ('],
    ['what only looks like a call', 'ping_host(host) needs a name', ''],
    ['a call in Python form', '', 'ping_host(host="gw")'],
    ['a call in Python form amid prose', 'Use ping_host(host="gw") for that.', ''],
    ['a list of calls', '', '[ping_host(host="gw"), net.sc'],
    ['several calls', '', 'ping_host(host="gw"), pi'],
    ['an enumeration', 'ping, ping_host and others', ''],
    ['a call in quotes', '', `'ping_host(host="gw")'`],
    ['words in quotes', '"ping" is a tool', ''],
    ['a quotation', '"Pong", he said', ''],
    ['a list of calls in quotes', '', `['ping_host(host="gw")', 'pin`],
    ['an escaped name', '', 'ping\\_ho'],
    ['escaped prose', '\\_pinned\\_ notes', ''],
    ['a name in another spelling', '', 'Ping_Ho'],
    ['a name above an object', 'ping_host\n{"host": ', ''],
    ['a name above words', 'ping_host\nshows it', ''],
    ['a dictionary', '', `{'name': 'ping_host', 'argum`],
    ['a set', '{a, b} is a set', ''],
    ['a call and the fence of the prompt', '', `ping_host(host="gw")\n${fence}\n`],
    ['a call and a fence of its own', '', `ping_host(host="gw")\n${fence}sh\nls -l\n`],
    ['a reference', '[1] According to the log', ''],
    ['a link', '[Docs](https://example.org)', ''],
    ['JSON', '', '{"name": "ping_host", "argum'],
    ['JSON amid prose', `I send ${call} now.\n\n`, ''],
    ['JSON behind a colon', `Answer: ${call}`, ''],
    ['words behind JSON', `${call} is how it looks`, ''],
    ['a placeholder', '{name} is filled in', ''],
    ['a fence that is not complete', '', `${fence}js`],
    ['a fence with a program', `${fence}js\nlet a = 1\n`, ''],
    ['a fence with a call', '', `${fence}json\n${call}\n${fence}\n`],
    ['words behind a fence with a call', '', `${fence}json\n${call}\n${fence}\nThat is it.`],
    ['a fence with a call below words', 'So:\n\n', `${fence}json\n${call}\n${fence}\n`],
    ['a fence with a call amid prose', 'So:\n\n', `${fence}json\n${call}\n${fence}\nThat is it.`],
    ['a call below words', 'Let me see.\n', 'ping_host(host="gw")'],
    ['a call below words that go on', 'Let me see\nping_host(host="gw")', ''],
    ['words below a call below words', 'Let me see.\n\n', 'ping_host(host="gw")\n\nSo'],
    ['a call behind the end of reasoning', 'Hm.</think>', 'ping_host(host="gw")'],
    ['a token of a model', 'Let me see. ', '<|tool_call_start|>[ping'],
    ['what may become a token of a model', 'Let me see. ', '<|tool_'],
    ['another token of a model', 'Let me see. ', '<|eot_id|>'],
    ['an operator', 'a <| b', ''],
    ['the head of a message', '', ' to=functions.ping<|chan'],
    ['a tag', 'Let me see.\n', '<tool_call>{"name"'],
    ['what may become a tag', 'Let me see.\n', '<tool_'],
    ['what is none', 'Let me see.\n<tools>', ''],
    ['a label that may begin a call', 'Let me see.\n', 'Action: ping_host\nAction In'],
    ['a label that begins none', 'Let me see.\nAction: ping the host.', ''],
    ['a label and another line', 'Let me see.\nAction: ping_host\nOwner: me,', ''],
    ['a label amid a line', 'See Action: ping_host\nAction Input:', ''],
    ['the start of an attribute', 'Let me see.\n', '<tool_call id="'],
    ['what is no attribute', 'Let me see.\n<tool_call id >', ''],
    ['a tag with the name of a tool', 'Let me see.\n', '<ping_host>\n<host>'],
    ['what may become one', 'Let me see.\n', '<ping_ho'],
    ['words behind such a tag', 'Let me see.\n<ping_host> pings.', ''],
    ['a comparison', 'a < b and c <x', ''],
    ['a tag in inline code', 'The tag `<tool_call>` starts one.\n\nMore', ''],
    ['a tag in inline code whose paragraph goes on', 'The tag `', '<tool_call>` starts one.\nMore'],
    ['a tag in a fence', `See:\n\n${fence}xml\n<tool_call>`, ''],
    ['a tag behind what may end a document', `See:\n\n${fence}md\na\n\n${fence}\n`, '<tool_call>'],
    ['a tag in a quote', 'See:\n\n> <tool_call>\n\nMore', ''],
    ['a long line that begins like a fence and is none', `${fence}${'1'.repeat(500)}${fence}json\n\nMore`, ''],
    ['a program in a fence with a long first line', `${fence}${'1'.repeat(500)}\na\n${fence}\nMore`, ''],
    ['a call after a long gap', '', `ping${' '.repeat(500)}(host=`],
    ['a tag of HTML after a long gap', `${'\n'.repeat(500)}<b>More`, ''],
    ['reasoning with a tag', '<think>I could <tool_call> here', ''],
    ['a tag behind reasoning', '<think>Hm.</think>\n', '<tool_call>'],
  ])('%s', (_name, shown, held) => {
    const text = shown + held
    // White space alone is not shown in any case.
    expect(text.slice(0, progress([text]).at(-1)).trimEnd()).toBe(shown.trimEnd())
    expect(text.slice(0, progress([...text]).at(-1)).trimEnd()).toBe(shown.trimEnd())
  })

  test('everything, where nothing may be called', async () => {
    const reader = new AnswerReader()
    const stream = prepared.incremental?.({ locale: 'en', context: { tools: null }, ports: {}, signal: new AbortController().signal })
    reader.push('<tool_call>')
    expect(stream?.push('<tool_call>', reader).safe).toBe(Number.POSITIVE_INFINITY)
  })
})

const pieces = fc.constantFrom(
  ...[
    `'ping()'`,
    `["ping_host(host='gw')"]`,
    'ping\\_host(host="gw")',
    'Ping_Host(host="gw"), ',
    'ping\n{}',
    `{'name': 'ping', 'arguments': `,
  ],
  ...[call, `<tool_call>${call}</tool_call>`, `${fence}json\n${call}\n${fence}\n`, `[${call}]`, 'ping_host(host="gw")', 'ping()'],
  ...['<tool_call>', '</tool_call>', '<TOOL_CALLS>', '<function_call>', '<tool', '_call>', '<', '<b>', '<!--', '-->', '&lt;'],
  ...[
    `${fence}json\n`,
    `\n${fence}md\n\n${fence}\n`,
    `${fence}\n`,
    `${fence}`,
    '~~~\n',
    '`',
    '``',
    '> ',
    '- ',
    '1. ',
    '    ',
    '# ',
    '---\n',
    'a: b\n',
    '|',
    '\\',
  ],
  ...['\n', '\n\n', '\r', '\r\n', ' ', '\t', '\u00a0', '\ufeff', 'Let me see. ', 'a', 'é', '"', '“', "'", '\u{1f600}'],
  ...['ping', 'ping_host', 'net.scan(', '(', ')', 'host=', '"gw"', "'''", 'r"', '\\x4', '1e+', '0x', '-', ',', ';', '#', 'True', 'None'],
  ...['[', ']', '{', '}', '{"name": "ping", "arguments": ', ':', '1', '"a": ', '<think>', '</think>', '[quote]', '[x](', '1'.repeat(500)],
)
const texts = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(''))
/** Starts of calls that are none in the end, with gaps and lines of any length. */
const starts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        fence,
        '~~~',
        '`',
        'json',
        'ping',
        'ping_host',
        'a',
        ',',
        '#',
        '\n',
        '\r\n',
        '<b>',
        '<tool',
        `${fence}json\n${call}\n${fence}\n`,
      ),
      fc.tuple(fc.constantFrom(' ', '1', '\n', '# ', '\t'), fc.integer({ min: 30, max: 700 })).map(([char, times]) => char.repeat(times)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 })

/** Whether all of a text may be calls, by reading it as a whole. */
function mayBeOnlyCalls(text: string): boolean {
  const reader = new AnswerReader()
  reader.push(text)
  let rest = text
  for (let fences = 0; ; fences++) {
    const visible = rest.trimStart()
    const start = text.length - visible.length
    if (visible === '') return true
    if (visible.startsWith('<')) return markAt(visible, 0, byName) !== 'none'
    if (!/^[`~]/.test(visible) || /^`{1,2}(?!`)/.test(visible)) return fences === 0 && mayBeCalls(rest, byName)
    if (reader.openFence?.start === start) return mayBeFencedCalls(reader.openFence.content, byName)
    const block = reader.codeBlocks[fences]
    if (block?.span.start !== start) return start >= reader.decided && /^(?:`{1,2}$|```|~{1,2}$|~~~)/.test(visible)
    if (!block.closed || readFencedCalls(block.content, byName) === undefined) return false
    rest = text.slice(block.span.end)
  }
}

/** Cuts a text into pieces of these sizes, in turn; surrogates stay together, as in the engine. */
function cut(text: string, lengths: readonly number[]): string[] {
  const characters = [...text]
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < characters.length; turn++) {
    const end = at + (lengths[turn % lengths.length] ?? 1)
    chunks.push(characters.slice(at, end).join(''))
    at = end
  }
  return chunks
}

describe('on any text', { timeout: 3_600_000 }, () => {
  test('no character is released that belongs to a call or to the tag of one', () => {
    fc.assert(
      fc.property(texts, sizes, (text, lengths) => {
        const released = Math.max(0, ...progress(cut(text, lengths)))
        const answer = new Answer(text)
        const { found, shown, unread } = findTextToolCalls(answer, definitions)
        const starts = [...found, ...shown.filter(({ marks }) => marks), ...(unread ? [unread] : [])].map(({ span }) => span.start)
        expect(released).toBeLessThanOrEqual(Math.min(text.length, ...starts))
      }),
      { numRuns: 1500 },
    )
  })

  test('the verdict, the calls and the text are those of the whole check', async () => {
    const options = fc.record({ strict: fc.boolean(), textCalls: fc.constantFrom('convert' as const, 'report' as const) })
    await fc.assert(
      fc.asyncProperty(texts, sizes, options, (text, lengths, tool_calls) =>
        assertStreamable(contract({ checks: [{ tool_calls }] }), text, [1, lengths], { context }),
      ),
      { numRuns: 300 },
    )
  })

  test('the start is released as soon as all of it cannot be calls', () => {
    fc.assert(
      fc.property(fc.oneof(texts, starts), (text) => {
        const whole = `${text}\n\n\n${'That is what there is to say about it.\n'.repeat(5 + text.length / 50)}`
        const characters = [...whole]
        const places = new CallPlaces(0, byName)
        const released = characters.findIndex((char) => {
          places.push(char)
          return places.hold > whole.length - whole.trimStart().length
        })
        if (released < 0) expect(places.found.length > 0 || mayBeOnlyCalls(whole)).toBe(true)
        // The readers look two characters ahead; of longer texts only some of the prefixes are read, and inline code may end behind white space.
        const { length } = characters.slice(0, Math.max(0, released)).join('')
        const before = whole.slice(0, Math.max(0, (length > 64 ? Math.floor(length / 1.25) : length) - 2)).trimEnd()
        if (!/[{[(]|^\s*`{1,2}(?!`)/.test(before)) expect(mayBeOnlyCalls(before)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('text that is held though it is no call is released before the end', async () => {
    await fc.assert(
      fc.asyncProperty(texts, sizes, async (text, lengths) => {
        const whole = `${text}\n\n\nThat is all there is to say about it.\n\n`
        const { issues } = await check(contract({ checks: ['tool_calls'] }), whole, { context })
        const held = whole.length - Math.max(0, ...progress(cut(whole, lengths)))
        const isOpen = new Answer(whole).unclosedFence !== undefined || /<think|---|[{[(]|```md/.test(whole)
        if (issues.length === 0 && !isOpen) expect(held).toBe(0)
      }),
      { numRuns: 300 },
    )
  })
})

test('is linear in the text', { timeout: 20_000 }, () => {
  const many = 50_000
  for (const chunks of [
    ['{"a": [', ...Array<string>(many).fill('1, ')],
    ['ping_host(host="', ...Array<string>(many).fill('gw ')],
    ['See `', ...Array<string>(many).fill('<tool_call> ')],
    Array<string>(many).fill('`<tool_call>`\n\n'),
    Array<string>(many).fill('<too'),
    [`${fence}json\n`, ...Array<string>(many).fill('[\n')],
    Array<string>(many).fill(' '),
    ['ping ', ...Array<string>(many).fill('#\n')],
    [fence, ...Array<string>(many).fill('1')],
    [`${fence}json\n${call}\n${fence}\n`.repeat(many / 10), 'a'],
    ['ping #\n'.repeat(many)],
    ["['", ...Array<string>(many).fill("ping()', '")],
    ['ping()', ...Array<string>(many).fill(', ping()')],
    ["{'a': [", ...Array<string>(many).fill("'1', ")],
    ['ping()\n', ...Array<string>(many).fill('`')],
    ['ping\n{"a": "', ...Array<string>(many).fill('\\\\_')],
  ])
    expect(progress(chunks)).toHaveLength(chunks.length)
})
