import { describe, expect, test } from 'vitest'
import { AnswerReader } from '../../answer/reader.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { placeholders } from './index.ts'

const rules = contract({ checks: ['placeholders'] })

async function found(text: string, options: Parameters<typeof placeholders>[0] = {}): Promise<string> {
  const { issues } = await check(contract({ checks: [placeholders(options)] }), text)
  return issues.map(({ span }) => text.slice(span?.start, span?.end)).join(' ')
}

describe('placeholders', () => {
  test.each([
    ['Sincerely,\n[Your Name]', '[Your Name]'],
    ['Dear [Recipient’s Name],', '[Recipient’s Name]'],
    ['[City, State, ZIP Code]\n[Date]', '[City, State, ZIP Code] [Date]'],
    ['From [laptop’s IP address] on', '[laptop’s IP address]'],
    ['It is [insert a short description of the product] here.', '[insert a short description of the product]'],
    ['See **[Your Name Here]**: good morning.', '[Your Name Here]'],
    ['Mit freundlichen Grüßen\n[Ihr Name]', '[Ihr Name]'],
    ['[Datum einfügen], [Ort]', '[Datum einfügen] [Ort]'],
    ['Write about {topic} now.', '{topic}'],
    ['Hello {{ first_name }}, welcome.', '{{ first_name }}'],
    ['Dear {name}, your order is here; thanks.', '{name}'],
    ['Dear {name} (see below), set x=1 and write about {topic}.', '{name} {topic}'],
    ['Write the name(s) of {topic} (in full).', '{topic}'],
    ['Choose [your topic] now.', '[your topic]'],
    ['He wrote: "Dear [name], welcome."', '[name]'],
    ['Call <insert phone number> today.', '<insert phone number>'],
    ['Use <your-api-key> to log in.', '<your-api-key>'],
    ['TODO: write the end.', 'TODO'],
    ['The end is [TODO].', 'TODO'],
    ['| Price | TBD |', 'TBD'],
    ['Lorem ipsum dolor sit amet.', 'Lorem ipsum dolor'],
    ['<think>[Your Name]</think>Bob', ''],
    ['[Your Name] and again [Your Name]', '[Your Name]'],
    // Links, images, references, footnotes, citations, check boxes.
    ['[Your Name](https://acme.com), ![Company Name](a.png), [Company Name][1], [Date]: https://acme.com', ''],
    ['As shown [1], [2, 3] and [^1].\n\n- [ ] open\n- [x] done', ''],
    // Stage directions, parts of songs, editors' notes.
    ['[Outro music plays]\n[Verse 1]\n[laughs] He [sic] said so [citation needed].', ''],
    // Keys, buttons and fields.
    ['Press [Enter], click on **[Add Date]**, choose [Date] and then File > [Address]. Wähle [Datum].', ''],
    // What an editor puts into a quotation.
    ['It says "[t]he [company] shall pay" and „dass [firma] zahlt“.', ''],
    // Indexes, lists, intervals, attributes.
    ['users[name], [1, 2], [0, 1), ["name"], [label="Company Name"]', ''],
    // Generics, tags, addresses, comparisons.
    ['Map<string, Name>, <title>, <b>your name</b>, <https://acme.com>, a < your b > c', ''],
    // LaTeX, sets, objects, templates of strings.
    ['\\frac{name}{other} and x_{max}, {a, b}, {"topic": 1}, $' + '{topic}, \\text{if} {x}', ''],
    ["import {useState} from 'react';", ''],
    ['const {topic} = props\n\nprint(f"Hello {name}")\n\nlabel = {name}\n\n<b>{name}</b> and <Tag key={name} />', ''],
    ['render({topic}), x => {value}, #{name}, https://acme.com?q={topic}', ''],
    ['A TODO list app keeps what is to do; TODOs are fine.', ''],
    ['Designers use lorem ipsum as filler.', ''],
    ['Use `[Your Name]`, `{topic}` and `TODO:`.\n\n```js\n// TODO: later\nconst a = `{topic}`\n```\n', ''],
  ])('%j', async (text, expected) => {
    expect(await found(text)).toBe(expected)
    await assertStreamable(rules, text)
  })

  test('options choose the kinds, let some stay, and search code', async () => {
    const text = 'Hi [Your Name], see {order_id} or TODO: more.\n\n```py\n# TODO: fix\nf"{order_id}"\n```\n'
    expect(await found(text, { kinds: ['todo'] })).toBe('TODO')
    expect(await found(text, { allowed: ['{Order_ID}', 'todo'] })).toBe('[Your Name]')
    expect(await found('```py\n# TODO: fix\n```\n', { code: true })).toBe('TODO')
  })

  test('reports a placeholder once, however often it occurs', async () => {
    expect(await found('Dear [Your Name], are you [Your Name]?\n\nYours, [Your Name]')).toBe('[Your Name]')
  })

  test('holds at most 120 characters of a bracket that stays open', () => {
    const [active] = rules.validators
    const machine = active?.prepared.incremental?.({ locale: 'en', context: {}, ports: {}, signal: new AbortController().signal })
    const reader = new AnswerReader()
    const text = `See [${'some words that never end '.repeat(20)}`
    const held = [...text].map((character, at) => {
      reader.push(character)
      return at + 1 - (machine?.push(character, reader).safe ?? 0)
    })
    expect(Math.max(...held)).toBeLessThanOrEqual(121)
    expect(held.at(-1)).toBeLessThan(20)
  })

  test.each([
    ['It works', '[^1]', ' as said'],
    ['See ', '[your name]', '(https://a.b/c) there'],
    ['See ', '[your name]', '[ref] there'],
    ['', '[your name]', ': https://a.b/c and more'],
    ['- ', '[ ]', ' a task'],
    ['- ', '[x]', ' a task'],
    ['a', '[index]', ' is read'],
    ['The set ', '{a1}', ' of it'],
    ['A ', 'TODO', ' list is here'],
    ['', '<section>', ' is a tag'],
    ['your ', '{order_id}', ' is kept'],
  ])('shows what is none two characters later: %s%s%s', (before, other, after) => {
    const [active] = contract({ checks: [placeholders({ allowed: ['{order_id}'] })] }).validators
    const machine = active?.prepared.incremental?.({ locale: 'en', context: {}, ports: {}, signal: new AbortController().signal })
    const reader = new AnswerReader()
    let safe = 0
    for (const character of before + other + after.slice(0, 2)) {
      reader.push(character)
      safe = machine?.push(character, reader).safe ?? 0
    }
    expect(safe).toBeGreaterThanOrEqual((before + other).length)
  })

  test('says what is missing', async () => {
    const { issues } = await check(rules, 'Dear [Your Name],\nTODO: lorem ipsum dolor')
    expect(issues.map(({ message }) => message)).toEqual([
      'Replace the placeholder "[Your Name]" with the text that belongs there.',
      'Write what is still missing; "TODO" marks it as open.',
      'Replace the filler text "lorem ipsum dolor" with real text.',
    ])
  })

  test.each([{ kinds: [] }, { kinds: ['bracketed'] }, { allowed: ['x'] }, { codes: true }])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ placeholders: options as never }] })).toThrow(/placeholders/)
  })
})

test('has a German hint that fits every kind', async () => {
  const { issues } = await check(contract({ locale: 'de', checks: ['placeholders'] }), 'TODO: mehr über [Ihr Name]')
  expect(issues.map(({ hint }) => hint)).toEqual(Array(2).fill('Fehlt dir die Angabe, schreibe den Satz ohne sie'))
})

test('says everything in both languages', async () => {
  expect(await localeFaults('placeholders', [{ text: '[Ihr Name]' }, { text: 'TODO: mehr' }, { text: 'Lorem ipsum dolor' }])).toEqual([])
})
