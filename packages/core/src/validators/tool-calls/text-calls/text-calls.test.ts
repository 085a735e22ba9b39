import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../../presets/src/testing/contract.ts'
import { enforce } from '../../../engine/enforce.ts'
import { type Settled, settle } from '../../../engine/repair/settle.ts'
import { scripted } from '../../../runners/scripted.ts'

const tools = [{ name: 'wipe', parameters: { type: 'object', properties: { disk: { type: 'string' } }, required: ['disk'] } }]
const json = '{"name": "wipe", "arguments": {"disk": "a"}}'
const tag = `<tool_call>${json}</tool_call>`
const fence = '```'

/** Guesses as the last resort only. */
const guessing: ContractByName = { lastResort: ['guess'] }

const settled = (text: string, input: ContractByName = {}, options: Record<string, unknown> = {}): Promise<Settled> =>
  settle(contract({ checks: [{ tool_calls: options }], ...input }), text, { context: { tools } })

/** What becomes of a text: the class of its change, the codes of what is wrong with it, or `text`. */
async function fate(text: string, input?: ContractByName, options?: Record<string, unknown>): Promise<string> {
  const { status, repairs, issues, toolCalls } = await settled(text, input, options)
  expect(toolCalls.length > 0).toBe(status === 'repaired')
  if (status === 'valid') return 'text'
  return status === 'repaired' ? repairs.map(({ class: kind }) => kind).join() : issues.map(({ code }) => code).join()
}

test.each([
  ['en', 'Call wipe; line 1 of the answer writes the call as text.', 'Call look; line 3 of the answer writes the call as text.'],
  [
    'de',
    'Rufe wipe auf; Zeile 1 der Antwort schreibt den Aufruf als Text.',
    'Rufe look auf; Zeile 3 der Antwort schreibt den Aufruf als Text.',
  ],
] as const)('each call in a text is named with its line, in %s', async (locale, ...messages) => {
  const offered = [...tools, { name: 'look', parameters: { type: 'object' } }]
  const said = async (text: string): Promise<readonly string[]> =>
    (await settle(contract({ checks: ['tool_calls'], locale }), text, { context: { tools: offered } })).issues.map(({ message }) => message)
  const look = '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
  expect(await said(`${tag}\n\n${look}`)).toEqual(messages)
  expect(new Set(await said(`${tag}\r\n${tag.replace('"a"', '"b"')}`)).size).toBe(2)
  // What was not offered may be anything.
  const secret = `sk-${'aB3'.repeat(12)}`
  const unknown = await said(`${tag}\n<tool_call>{"name": "${secret}", "arguments": {}}</tool_call>`)
  expect(unknown.length).toBeGreaterThan(0)
  expect(unknown.join()).not.toContain(secret)
})

describe('text that could be a call', () => {
  test.each([
    ['the whole answer', json],
    ['the whole answer in a fence', `${fence}json\n${json}\n${fence}`],
    ['the whole answer in Python', 'wipe(disk="a")'],
    ['several calls', 'wipe(disk="a"), wipe(disk="b")'],
    ['a quoted call in a list', `['wipe(disk="a")']`],
    ['a quoted call', `'wipe(disk="a")'`],
    ['a dictionary of Python', `{'name': 'wipe', 'arguments': {'disk': 'a'}}`],
    ['a call above the fence that closes one of the prompt', `[wipe(disk="a")]\n${fence}`],
    ['a tag', tag],
    ['a tag at the end', `Let me see.\n\n${tag}\n`],
    ['a tag on the line of its words', `Let me see: ${tag}`],
    ['a tag behind a quotation', `You said "now", and 'now' it is.\n${tag}`],
    ['a tag behind a call with quotation marks', `<tool_call>{"name": "wipe", "arguments": {"disk": "5\\""}}</tool_call>\n${tag}`],
  ])('%s becomes one, as a guess', async (_name, text) => {
    expect(new Set((await fate(text, guessing)).split(','))).toEqual(new Set(['guess']))
    expect(new Set((await fate(text, { preset: 'techtime' })).split(','))).toEqual(new Set(['guess']))
    expect(await fate(text)).toMatch(/^TOOL_CALL_IN_TEXT/)
    expect(await fate(text, { preset: 'techtime', allow: ['lossless'] })).toMatch(/^TOOL_CALL_IN_TEXT/)
    expect(await fate(text, { allow: ['lossless', 'lossy'] })).toMatch(/^TOOL_CALL_IN_TEXT/)
    expect(await fate(text, guessing, { textCalls: 'report' })).toMatch(/^TOOL_CALL_IN_TEXT/)
    expect(await fate(text, { allow: ['lossless', 'lossy', 'guess'] }, { textCalls: 'report' })).toMatch(/^TOOL_CALL_IN_TEXT/)
  })

  test.each(['Never do this:', 'Do not run', 'You should never write:', 'Bitte nicht ausführen:', 'Use a backup instead of'])(
    'a tag after %j is reported, and not made',
    async (words) => {
      expect(await fate(`${words} ${tag}`, guessing)).toBe('TOOL_CALL_IN_TEXT')
      expect(await fate(`${words}\n\n${tag}`, guessing)).toBe('TOOL_CALL_IN_TEXT')
      expect(await fate(`I do not know it yet, so I never guess.\n\nLet me look.\n\n${tag}`, guessing)).toBe('guess')
    },
  )

  test.each([
    ['a comment behind it', 'wipe(disk="a") # never do this'],
    ['a comment before it', '# Nur ein Beispiel\nwipe(disk="a")'],
    ['a comment between two', 'wipe(disk="a")\n# or better\nwipe(disk="b")'],
    ['a comment in it', 'wipe(  # do not run this\n  disk="a")'],
    ['a statement', 'result = wipe(disk="a")\nprint(result)'],
    ['a name above JSON', 'wipe\n{"disk": "a"}'],
    ['a fence below words', `For example:\n\n${fence}json\n${json}\n${fence}`],
    ['a tag in a fence below words', `For example:\n\n${fence}\n${tag}\n${fence}`],
    ['JSON behind words', `I would send ${json}`],
    ['Python below words', 'Then run:\n\nwipe(disk="a")'],
    ['a call that is cut off', 'wipe(disk="a"), wipe(disk="'],
    ['a comma at the end', 'wipe(disk="a"),'],
    ['a quoted call that is cut off', `['wipe(disk="a")'`],
    ['a quoted call amid words', `'wipe(disk="a")' wipes it.`],
    ['a call in an explanation', `${fence}\nwipe(disk)\n${fence}`],
    ['a similar name', 'wipes(disk="a")'],
    ['a missing argument', 'wipe()'],
    ['inline code', `Write \`${tag}\``],
    ['inline code at the end of a paragraph', `Write \`\`${tag}\`\`\n`],
    ['a block quote', `> ${tag}`],
    ['a block quote in a list', `- > ${tag}`],
    ['a block quote that goes on without its mark', `> The page says:\n${tag}`],
  ])('%s is text', async (_name, text) => {
    for (const input of [guessing, { allow: ['lossless', 'lossy', 'guess'] } as ContractByName])
      expect(await fate(text, input)).toBe('text')
  })

  test.each([
    ['quotation marks', `The page says "${tag}"`],
    ['an open quotation mark', `The page says "${tag}`],
    ['a quotation that began earlier', `The page says "please run ${tag}`],
    ['German quotation marks', `Dort steht „bitte ${tag}`],
    ['English quotation marks', `It says “please ${tag}`],
    ['French quotation marks', `Il dit « ${tag}`],
    ['a single quotation mark', `It says '${tag}`],
    ['a back-tick without its pair', `It says \`${tag}`],
    ['an element', `<blockquote>\n\n${tag}`],
    ['an example', `<example id="1">${tag}</example>`],
    ['a comment', `<!-- ${tag}`],
    ['indented code', `It says:\n\n    ${tag}`],
    ['an open quotation mark in another paragraph', `The disk is 5" wide.\n\n${tag}`],
    ['an element before it, even a closed one', `<b>Now</b><br>\n${tag}`],
    ['words behind it', `${tag}\n\nThat is how it would be called.`],
    ['a wrong call beside it', `<tool_call>{"name": "wipe"}</tool_call>\n${tag}`],
    ['a tag with wrong arguments', '<tool_call>{"name": "wipe", "arguments": {}}</tool_call>'],
  ])('%s keeps a tag from becoming a call; it is reported', async (_name, text) => {
    for (const input of [guessing, { allow: ['lossless', 'lossy', 'guess'] } as ContractByName])
      expect(await fate(text, input)).toMatch(/^TOOL_CALL_IN_TEXT/)
  })

  const brew = {
    type: 'object',
    properties: {
      max_cups: { type: 'integer' },
      kind: { enum: ['Green', 'Black'] },
      note: { type: 'string' },
      at: { type: 'array', items: { type: 'integer' } },
    },
    required: ['max_cups'],
  }
  const everything: ContractByName = { allow: ['lossless', 'lossy', 'guess'] }

  test.each<[string, string, Record<string, unknown>, string[]]>([
    ['an escaped name', String.raw`[brew\_tea(max\_cups=2)]`, { max_cups: 2 }, []],
    ['a name in another spelling', 'Brew_Tea(max_cups=2)', { max_cups: 2 }, ['tool-name-same']],
    ['an alias', 'make(max_cups=2)', { max_cups: 2 }, ['tool-name-alias']],
    ['an argument in another spelling', `['brew_tea(maxCups=2)']`, { max_cups: 2 }, ['rename-key']],
    ['a misspelt argument', 'brew_tea(max_cusp=2)', { max_cups: 2 }, ['rename-key']],
    ['another type', `brew_tea(max_cups='2')`, { max_cups: 2 }, ['string-to-number']],
    [
      'all of them',
      `{'name': 'BrewTea', 'arguments': {'MaxCups': '2'}}`,
      { max_cups: 2 },
      ['tool-name-same', 'rename-key', 'string-to-number'],
    ],
    ['a type that is only warned of', 'brew_tea(max_cups=2.5)', { max_cups: 2.5 }, []],
  ])('names and types are repaired as those of real calls: %s', async (_name, text, expected, rules) => {
    const rule = contract({ checks: [{ tool_calls: { aliases: { make: 'brew_tea' } } }], ...everything })
    const settled = await settle(rule, text, { context: { tools: [{ name: 'brew_tea', parameters: brew }] } })
    expect(settled.status).toBe('repaired')
    expect(settled.toolCalls.map(({ name, arguments: given }) => [name, JSON.parse(given)])).toEqual([['brew_tea', expected]])
    expect(settled.repairs.map((one) => one.rule)).toEqual(expect.arrayContaining(['text-to-tool-call', ...rules]))
  })

  test.each([
    ['another case of an enum', 'brew_tea(max_cups=2, kind="green")'],
    ['a null for an optional argument', 'brew_tea(max_cups=2, note=None)'],
    ['an argument that would be dropped', 'brew_tea(max_cups=2, sugar=True)'],
    ['an item that would be dropped', 'brew_tea(max_cups=2, at=[1, "soon"])'],
  ])('a call that needs other values is reported, not made: %s', async (_name, text) => {
    const settled = await settle(contract({ checks: ['tool_calls'], ...everything }), text, {
      context: { tools: [{ name: 'brew_tea', parameters: brew }] },
    })
    expect(settled).toMatchObject({ status: 'unresolved', toolCalls: [], issues: [{ code: 'TOOL_CALL_IN_TEXT' }] })
  })

  test('the last resort is for text alone: a name that is only similar stays a fault', async () => {
    const similar = { text: '', toolCalls: [{ name: 'wipee', arguments: '{"disk": "a"}' }] }
    const rules = contract({ checks: ['tool_calls'], retries: 0, ...guessing })
    const outcome = await enforce({ contract: rules, runner: scripted([similar]), prompt: 'x', context: { tools } })
    expect(outcome).toMatchObject({ status: 'unresolved', repairs: [] })
  })

  test('the model is asked again before anybody guesses', async () => {
    const given = { contract: contract({ checks: ['tool_calls'], retries: 1, ...guessing }), prompt: 'x', context: { tools } }
    const called = { text: '', toolCalls: [{ name: 'wipe', arguments: '{"disk": "a"}' }] }
    expect(await enforce({ ...given, runner: scripted([tag, called]) })).toMatchObject({ status: 'valid', attempts: 2, repairs: [] })
    expect(await enforce({ ...given, runner: scripted([tag, `${tag}\n`]) })).toMatchObject({
      status: 'repaired',
      attempts: 2,
      repairs: [{ class: 'guess' }],
    })
  })

  test('whatever stands around a tag, every call that was text is a guess, and none comes from code or quotes', async () => {
    const word = fc.constantFrom(
      'Now ',
      '"',
      '`',
      '\n',
      '\n\n',
      '> ',
      '- ',
      '    ',
      '„',
      '“',
      '<b>',
      '</b>',
      `${fence}\n`,
      "'",
      tag,
      json,
      '<!--',
      '-->',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 8 }), async (words) => {
        const text = words.join('')
        const { repairs } = await settled(text, guessing)
        for (const { class: kind, span } of repairs) {
          expect(kind).toBe('guess')
          const before = text.slice(0, span.start)
          expect(before.slice(before.lastIndexOf('\n') + 1)).not.toMatch(/^(?:\s|- )*>|[`'„]$/)
          // In its paragraph every quotation mark before the call has its pair.
          const paragraph = before.split(/\n[ \t]*(?=\n)/).at(-1) ?? ''
          expect(paragraph.split('"').length % 2).toBe(1)
        }
      }),
      { numRuns: 300 },
    )
  })
})
