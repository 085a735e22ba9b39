import { Answer, check, type FilePort, type Issue, type Progress, settle } from '@stickler/core'
import { AnswerReader } from '@stickler/core/internal/validators'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../testing/contract.ts'

/** Files in `old/` exist, nothing else does. */
const files: FilePort = { kind: async (path) => (path.startsWith('old') ? 'file' : 'missing'), list: async () => [] }
const rules = contract({ checks: ['adr_structure', 'file_existence'], allow: ['lossless', 'lossy', 'guess'], locale: 'de' })
const fence = '```'

/** What a record has; the rest is missing. */
interface Parts {
  readonly fields: readonly string[]
  readonly modify: readonly string[] | undefined
  readonly sections: readonly string[]
  readonly criteria: number
}

type Style = 'front matter' | 'YAML fence' | 'document' | 'title' | 'title in a document' | 'sections'

function write({ fields, modify, sections, criteria }: Parts, style: Style, id: number): string {
  const named = modify ? `files:\n  modify: [${modify.join(', ')}]\n` : ''
  const yaml = `adr_id: ${id}\n${fields.map((field) => `${field}: x\n`).join('')}${named}`
  const head = style === 'YAML fence' ? `${fence}yaml\n${yaml}${fence}\n` : `---\n${yaml}---\n`
  const boxes = Array.from({ length: criteria }, () => '- [ ] a\n').join('')
  const body = sections.map((section) => `\n## ${section}\n\n${fence}js\nx\n${fence}\n\n${section === 'Akzeptanzkriterien' ? boxes : ''}`)
  const isHeaded = style === 'front matter' || style === 'YAML fence' || style === 'document'
  const record = `${isHeaded ? head : ''}\n${style === 'sections' ? '' : `# ADR-${id}\n`}${body.join('')}`
  return style === 'document' || style === 'title in a document' ? `${fence}markdown\n${record}\n${fence}\n` : record
}

const allSections = ['Kontext', 'Entscheidung', 'Akzeptanzkriterien']
const parts: fc.Arbitrary<Parts> = fc.record({
  fields: fc.subarray(['title', 'status']),
  modify: fc.option(fc.array(fc.constantFrom('old/a', 'new/a', 'new/b', '../c', '7'), { maxLength: 3 }), { nil: undefined }),
  sections: fc.subarray(allSections),
  criteria: fc.nat({ max: 4 }),
})
const several = fc
  .constantFrom<Style[]>(['front matter', 'document'], ['YAML fence'])
  .chain((styles) =>
    fc
      .array(fc.tuple(parts, fc.constantFrom(...styles)), { minLength: 2, maxLength: 4 })
      .map((all) => all.map(([one, style], index) => write(one, style, index + 1))),
  )

/** Records with and without a header; what only its sections make a record has all of them, and follows a record that has, too. */
const mixed = fc
  .array(fc.tuple(parts, fc.constantFrom<Style>('front matter', 'document', 'title', 'title in a document', 'sections')), {
    minLength: 2,
    maxLength: 4,
  })
  .map((all) => {
    let previous: { readonly style: Style; readonly sections: number } | undefined
    return all.map(([one, wanted], index) => {
      const isBare =
        wanted === 'sections' && (!previous || (previous.sections === allSections.length && !previous.style.endsWith('document')))
      const style = wanted === 'sections' && !isBare ? 'title' : wanted
      const isHeaded = style === 'front matter' || style === 'document'
      const sections = isBare ? allSections : isHeaded || one.sections.length > 0 ? one.sections : ['Entscheidung']
      previous = { style, sections: sections.length }
      return { isHeaded, text: write({ ...one, modify: undefined, sections }, style, index + 1) }
    })
  })

const said = ({ code, message, path }: Issue): string => `${code} ${message} ${path?.join('.')}`

/** What the structure of records, checked while it arrives, says at the end. */
function stream(chunks: readonly string[]): Progress | undefined {
  const reader = new AnswerReader()
  const [active] = rules.validators
  const machine = active?.prepared.incremental?.({ locale: 'de', context: {}, ports: {}, signal: new AbortController().signal })
  return chunks.map((chunk) => {
    reader.push(chunk)
    return machine?.push(chunk, reader)
  })[chunks.length - 1]
}

describe('several records in one answer', () => {
  test('are judged as each of them alone', async () => {
    await fc.assert(
      fc.asyncProperty(several, async (records) => {
        const { issues } = await check(rules, records.join('\n'), { ports: { files } })
        const alone = await Promise.all(records.map((record) => check(rules, record, { ports: { files } })))
        const expected = alone.flatMap((report, index) =>
          report.issues.map((one) =>
            said({ ...one, message: `In ADR ${index + 1} (${index + 1}): ${one.message}`, path: ['records', index, ...(one.path ?? [])] }),
          ),
        )
        expect(issues.map(said).sort()).toEqual(expected.sort())
      }),
      { numRuns: 80 },
    )
  })

  test('are judged as each of them alone, with a header or without, and streams show no wrong one', async () => {
    const structure = contract({ checks: ['adr_structure'], locale: 'de' })
    await fc.assert(
      fc.asyncProperty(mixed, fc.integer({ min: 1, max: 30 }), async (records, size) => {
        const text = records.map((record) => record.text).join('\n')
        const { issues } = await check(structure, text)
        const alone = await Promise.all(records.map((record) => check(structure, record.text)))
        const expected = alone.flatMap((report, index) =>
          report.issues.map((one) => {
            const id = records[index]?.isHeaded ? ` (${index + 1})` : ''
            return said({ ...one, message: `In ADR ${index + 1}${id}: ${one.message}`, path: ['records', index, ...(one.path ?? [])] })
          }),
        )
        expect(issues.map(said).sort()).toEqual(expected.sort())
        const progress = stream(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
        expect(progress?.failure?.issues).toEqual(stream([text])?.failure?.issues)
        if (progress?.failure)
          expect(issues.map(said)).toEqual(expect.arrayContaining(progress.failure.issues.map(({ code }) => expect.stringContaining(code))))
        const bare = records.findIndex(({ isHeaded }) => !isHeaded)
        const start = records.slice(0, bare).reduce((sum, record) => sum + record.text.length + 1, 0)
        if (bare >= 0) expect(progress?.safe).toBeLessThanOrEqual(start + text.slice(start).search(/\S/))
      }),
      { numRuns: 150 },
    )
  })

  const first = '---\nadr_id: "001"\ntitle: T\nstatus: Proposed\n---\n\n# ADR-001: T\n\n## Kontext\n\nx\n\n## Entscheidung\n\ny\n\n'
  const last = '## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n'
  const structure = contract({ checks: ['adr_structure'], locale: 'de' })

  test.each([
    ...['## ADR-002: U', '## ADR 2 – U', '## **ADR-002**', 'ADR-002: U\n----------', '**ADR-002: U**', '__ADR-002: U__  '],
    ...['## ADR-002 U', '## ADR 2 "Ports" und Adapter', '## **ADR-002** 3 Ebenen', 'ADR-002 U\n----------', '**ADR-002 U**'],
  ])('a title that is not of level 1 begins another one: %s', async (title) => {
    const text = `${first}${title}\n\n${last}`
    const { issues } = await check(structure, text)
    expect(issues.map(({ code, path }) => [code, ...(path ?? [])])).toEqual([
      ['MISSING_ADR_SECTION', 'records', 0, 'Akzeptanzkriterien'],
      ['MISSING_YAML_HEADER', 'records', 1],
      ['MISSING_ADR_SECTION', 'records', 1, 'Kontext'],
      ['MISSING_ADR_SECTION', 'records', 1, 'Entscheidung'],
    ])
    for (const size of [1, 7, text.length])
      expect(stream(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])?.safe).toBeLessThanOrEqual(text.indexOf(last))
    const headed = text.replace(last, `---\nadr_id: 2\ntitle: U\nstatus: x\n---\n\n## Kontext\n\nx\n\n## Entscheidung\n\ny\n\n${last}`)
    expect((await check(structure, headed.replace(title, `${last}\n${title}`))).issues).toEqual([])
  })

  test.each([
    ...[
      '## Bezug zu ADR-002',
      '## Siehe ADR-002',
      '## ADR-002: Zusammenfassung',
      '## ADR-002 ersetzt ADR-001',
      '### ADR-002: U',
      '## ADR-001: T',
    ],
    ...[
      '- **ADR-002: U**',
      '> **ADR-002: U**',
      '**ADR-002: U** bleibt.',
      '**ADR-002: U**\n\nbleibt.',
      '**Siehe ADR-002**',
      '**ADR-001: T**',
    ],
    ...['```\n## ADR-002: U\n```', '```\n**ADR-002: U**\n```', '<!--\n**ADR-002: U**\n-->', '    **ADR-002: U**'],
  ])('a reference begins no other one, and the stream goes on: %s', async (line) => {
    const text = `${first}${line}\n\n${last}`
    expect((await check(structure, text)).issues).toEqual([])
    expect(stream([...text])?.safe).toBe(text.length)
  })

  test.each(['## ADR-002 Bezug\n\nSiehe dort.', '## ADR-002 Diskussion', '## ADR-002 gilt weiter', '**ADR-002 gilt weiter**'])(
    'a number without a separator may be a reference: %s',
    async (line) => {
      expect((await check(structure, `${first}${line}\n\n${last}`)).issues).toEqual([])
    },
  )

  test('are repaired as each of them alone', async () => {
    const moving = contract({ checks: ['file_existence'], allow: ['lossless', 'lossy', 'guess'] })
    const repaired = async (text: string): Promise<string> => {
      const { status, text: after } = await settle(moving, text, { ports: { files } })
      return status === 'unresolved' ? 'unresolved' : after
    }
    await fc.assert(
      fc.asyncProperty(several, async (records) => {
        const alone = await Promise.all(records.map(repaired))
        expect(await repaired(records.join('\n'))).toBe(alone.includes('unresolved') ? 'unresolved' : alone.join('\n'))
      }),
      { numRuns: 80 },
    )
  })

  test('fail on a stream only when they are wrong, and for every chunking alike', async () => {
    await fc.assert(
      fc.asyncProperty(several, fc.integer({ min: 1, max: 30 }), async (records, size) => {
        const text = records.join('\n')
        const failure = stream([text])?.failure
        const chunks = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
        expect(stream(chunks)?.failure?.issues).toEqual(failure?.issues)
        const { issues } = await check(contract({ checks: ['adr_structure'], locale: 'de' }), text)
        const errors = issues.filter(({ severity }) => severity === 'error')
        if (failure) expect(errors).not.toEqual([])
        // What is missing at the end may still follow; what is missing before another record may not.
        const last = records.length - 1
        const isEarly = errors.some(({ path }) => path?.[1] !== last)
        if (isEarly && text.startsWith('---') && !text.includes(`${fence}markdown`)) expect(failure).toBeDefined()
      }),
      { numRuns: 80 },
    )
  })

  const record = (id: number): string =>
    write(
      { fields: ['title', 'status'], modify: undefined, sections: ['Kontext', 'Entscheidung', 'Akzeptanzkriterien'], criteria: 3 },
      'front matter',
      id,
    )
  const example = `${fence}markdown\n---\nadr_id: 8\nfiles: { modify: [new/x] }\n---\n\n# ADR-8: …\n\n## Kontext\n${fence}\n`
  const codes = async (text: string): Promise<unknown[]> =>
    (await check(rules, text, { ports: { files } })).issues.map(({ code, path = [], span }) => [
      code,
      path.join('.'),
      text.slice(span?.start, span?.end).slice(0, 15),
    ])

  test.each<[string, string, string[][]]>([
    [
      'one without a header below a title of level 2',
      `${record(1).replace('## Entscheidung', '## Folgen')}\n## ADR-2: Ports\n\n## Kontext\n\nx\n\n## Entscheidung\n\ny\n`,
      [
        ['MISSING_ADR_SECTION', 'records.0.Entscheidung', '---\nadr_id: 1\nt'],
        ['MISSING_YAML_HEADER', 'records.1', record(1).slice(0, 15)],
        ['MISSING_ADR_SECTION', 'records.1.Akzeptanzkriterien', '---\nadr_id: 1\nt'],
      ],
    ],
    ['a title above the header, and another heading of level 1', `# ADR-1: Ports\n\n${record(1).replace('# ADR-1\n', '')}\n# Anhang\n`, []],
    [
      'its header below the sections',
      `# ADR-1: Ports\n\n## Kontext\n\nx\n\n${record(1).replace(/\n# ADR-1[\s\S]*?(?=## Entscheidung)/, '\n')}`,
      [],
    ],
    [
      'sections in another order',
      record(1).replace('## Kontext', '## K').replace('## Entscheidung', '## Kontext').replace('## K\n', '## Entscheidung\n'),
      [],
    ],
    [
      'sections of a text about it',
      `# Review zu ADR-1\n\n## Entscheidung\n\nGut.\n\n${record(1).replace('## Entscheidung', '## Folgen')}`,
      [['MISSING_ADR_SECTION', 'Entscheidung', '# Review zu ADR']],
    ],
    ...[example, example.replace(/---[\s\S]*---\n/, '')].flatMap((shown): [string, string, string[][]][] => [
      ['an example in a document in the middle of it', record(1).replace('## Entscheidung', `${shown}\n## Entscheidung`), []],
      ['an example in a document at its end', `${record(1)}\n## Muster\n\nEine Vorlage:\n\n${shown}`, []],
    ]),
    ['two complete ones', `${record(1)}\n${record(2)}`, []],
    [
      'a section of the first in the second only',
      `${record(1).replace('## Kontext', '### Kontext')}\n${record(2)}`,
      [['MISSING_ADR_SECTION', 'records.0.Kontext', '---\nadr_id: 1\nt']],
    ],
    [
      'a second one without an id',
      `${record(1)}\n${record(2).replace('adr_id: 2\n', '')}`,
      [['MISSING_ADR_FIELD', 'records.1.adr_id', '---\ntitle: x\nst']],
    ],
    [
      'two without an id',
      `${record(1)}\n${record(2)}`.replaceAll(/adr_id: .\n/g, ''),
      [
        ['MISSING_ADR_FIELD', 'records.0.adr_id', '---\ntitle: x\nst'],
        ['MISSING_ADR_FIELD', 'records.1.adr_id', '---\ntitle: x\nst'],
      ],
    ],
    ['an example in a YAML fence', `${record(1)}\n${fence}yaml\nadr_id: 9\n${fence}\n`, []],
    ['an example of other front matter', `${record(1).replace('\n## Entscheidung', '\n---\nlayout: x\n---\n\n## Entscheidung')}`, []],
    [
      'a second one that cannot be read',
      `${record(1)}\n${record(2).replace('title: x', 'title: "')}`,
      [['INVALID_YAML', 'records.1', '---\nadr_id: 2\nt']],
    ],
    [
      'two in one fence',
      `${fence}md\n${record(1)}\n${record(2).replace('status: x\n', '')}\n${fence}\n`,
      [['MISSING_ADR_FIELD', 'records.1.status', '---\nadr_id: 2\nt']],
    ],
    [
      'one in a fence in a list',
      `- ${`${fence}md\n${record(1)}\n${record(2).replace('status: x\n', '')}\n${fence}\n`.replaceAll('\n', '\n  ')}`,
      [['MISSING_ADR_FIELD', 'records.1.status', '```md\n  ---\n  a']],
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await codes(text)).toEqual(expected)
  })

  test('give the fewest criteria as the fact', async () => {
    const text = `${record(1)}\n${record(2).replace('- [ ] a\n', '')}\n${record(3)}`
    expect((await check(rules, new Answer(text), { ports: { files } })).facts).toEqual({ adr_structure: { criteria: 2 } })
  })
})
