import { check, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { assertStreamable } from '../../../../core/src/testing/assert-streamable.ts'
import { localeFaults } from '../../../../core/src/testing/locale-faults.ts'
import { catalogue, contract } from '../../testing/contract.ts'
import { adrStructure } from './index.ts'

const header = '---\nadr_id: "7"\ntitle: Ports\nstatus: Proposed\n---\n'
const sections = '\n# ADR-007: Ports\n\n## Context\n\nx\n\n## Decision\n\ny\n\n## Acceptance Criteria\n\n- [ ] a\n- [x] b\n* [ ] c\n'
const germanSections = sections
  .replace('Context', 'Kontext')
  .replace('Decision', 'Entscheidung')
  .replace('Acceptance Criteria', 'Akzeptanzkriterien')
const fence = '```'

async function report(
  text: string,
  options: Record<string, unknown> = {},
): Promise<{ codes: string[]; paths: string[]; criteria: unknown }> {
  const result = await check(contract({ checks: [{ adr_structure: options }] }), text)
  return {
    codes: result.issues.map(({ code }) => code),
    paths: result.issues.map(({ path }) => (path ?? []).join('.')),
    criteria: result.facts.adr_structure?.criteria,
  }
}

describe('adr_structure', () => {
  test.each([
    ['a complete ADR', header + sections],
    ['with CRLF', (header + sections).replaceAll('\n', '\r\n')],
    ['with CR only', (header + sections).replaceAll('\n', '\r')],
    ['after prose', `Here it is.\n\n${header}${sections}`],
    ['right after a lead-in', `Here it is:\n${header}${sections}`],
    ['in a markdown fence', `Here:\n\n${fence}${fence}markdown\n${header}${sections}\n${fence}${fence}\n\nDone.`],
    ['header in a yaml fence', `${fence}yaml\n${header}${fence}\n${sections}`],
    ['bare header in a yaml fence', `${fence}yaml\nadr_id: 1\ntitle: x\nstatus: y\n${fence}\n${sections}`],
    ['after reasoning', `<think>Hm.\n---\nadr_id:\n---\n</think>\n${header}${sections}`],
    ['adr_id is not the first key', `---\ntitle: x\nstatus: y\nadr_id: 1\n---\n${sections}`],
    ['with a byte order mark', `\ufeff${header}${sections}`],
    ['no ADR at all', 'Just a chat.\n\n## Context\n\nText.'],
    ['two rules are no front matter', 'One\n\n---\n\nTwo\n\n---\n\nThree'],
    ['rules around a sentence with a colon', 'One\n\n---\n\nNote: two\n\n---\n\nThree'],
    ['front matter of something else', '---\ntags: [a]\n---\n\nText'],
    ['empty answer', ''],
    ...[
      ...['Review of ADR-7', 'Review: ADR-7', 'ADR-7 discussion', 'ADR-7: Summary', 'ADR-7 (Review)', 'ADR-Review', 'Notes on **ADR-7**'],
      ...[
        'Review zu ADR-038',
        'ADR-7 Diskussion',
        'Zusammenfassung ADR-7',
        'ADR-7 und ADR-8 im Vergleich',
        'Umsetzung von ADR-7',
        'Fragen zum ADR',
        'Wie ADR-7 umgesetzt wird',
        'ADR-7 im Vergleich mit ADR-8',
        'Warum ADR-7',
        'How ADR-7 is implemented',
        'ADR-7 ersetzt ADR-3',
        'Gutachten ADR-7',
        'ADR-7 Reviewkommentare',
        'Lessons learned: ADR-7',
        'ADR-7 – offene Fragen',
        'ADR-7: Open questions',
        'ADR-7 erklärt',
        'Understanding ADR-7',
        'Offene Punkte ADR-7',
        'ADR-7 Checkliste',
      ],
    ].flatMap((title) => [
      [`a text about one: ${title}`, sections.replace('ADR-007: Ports', title)],
      [
        `a text about one with other front matter: ${title}`,
        `---\ntitle: ${title.replaceAll('*', '')}\n---\n${sections.replace('ADR-007: Ports', title)}`.replace(
          'title: Review:',
          'title: Review',
        ),
      ],
    ]),
    ...[
      ['below a heading and a sentence', '### Beispiel\n\nEin Satz dazu.\n\n', 2],
      ['that says how one looks', 'A record looks like this:\n\n', 2],
      ['with a blank for its id', '', 'NNN'],
      ['with another blank', '', '<number>'],
    ].map(([name, before, id]) => [
      `an example at the end ${name}`,
      `${header}${sections}\n${before}${fence}md\n---\nadr_id: "${id}"\n---\n# ADR-2: X\n${fence}\n`,
    ]),
    ['a blank line below the rule', (header + sections).replace('---\n', '---\n\n')],
    ['in a fence without a language', `Here:\n\n${fence}\n${header}${sections}\n${fence}\n`],
    ['its header alone in a fence without a language', `${fence}text\n${header}${fence}\n${sections}`],
    ['its title twice', `${header}\n# ADR-007: Ports\n${sections}`],
    ['itself twice below one header', header + sections + sections],
    ['a section twice', header + sections.replace('## Decision', '## Context\n\nMore.\n\n## Decision')],
    ['content below subsections only', header + sections.replace('\nx\n', '\n### Why\n\nx\n')],
    ['an empty section that is there again', header + sections.replace('\nx\n', '\n## Context\n\nx\n')],
    ['front matter of something else that never closes', '---\nlayout: x\n\nText'],
    ...['NNN', 'ADR-XXX', '"000"', '<number>'].map((id): [string, string] => [
      `a template with the id ${id}`,
      `${header.replace('"7"', id).replace('status: Proposed\n', '')}\n# ADR-NNN: Title\n\n## Context\n`,
    ]),
    ['a template in a fence', `Use this template:\n\n${fence}md\n${sections}${fence}\n`],
  ])('%s is fine', async (_name, text) => {
    expect((await report(text)).codes).toEqual([])
  })

  test.each([
    'Here is what the new record looks like:\n\n',
    'Der neue ADR sieht so aus:\n\n',
    '## Sample rate\n\nA sentence.\n\n',
    'The text below is written to illustrate the risks.\nHere is the record:\n\n',
  ])('a record is one, whatever introduces it: %j', async (before) => {
    const record = `${fence}md\n# ADR-7: Ports\n\n## Context\n\nWe need ports.\n${fence}\n`
    expect((await report(`${before}${record}`)).codes).toContain('MISSING_ADR_SECTION')
  })

  test.each([
    // The seed sees an ADR only where adr_id is the first key, so its absence could never be reported.
    ['adr_id missing', `---\ntitle: x\nstatus: y\n---\n${sections}`, ['MISSING_ADR_FIELD']],
    [
      'adr_id empty',
      `---\nadr_id:\ntitle: " "\nstatus: []\n---\n${sections}`,
      ['MISSING_ADR_FIELD', 'MISSING_ADR_FIELD', 'MISSING_ADR_FIELD'],
    ],
    ['a second record without a field', `${header}${sections}\n---\nadr_id: 8\ntitle: x\n---\n${sections}`, ['MISSING_ADR_FIELD']],
    ['no header', sections, ['MISSING_YAML_HEADER']],
    ...[
      'ADR-7',
      'ADR 7 Ports',
      'ADR-7: Review of pull requests',
      'ADR: Ports',
      '**ADR-7** – Ports',
      'Ports (ADR-7)',
      'Draft ADR-7: Ports',
      'ADR-7: Fehlerbericht',
    ].map((title): [string, string, string[]] => [
      `no header: ${title}`,
      sections.replace('ADR-007: Ports', title),
      ['MISSING_YAML_HEADER'],
    ]),
    ['no header in a fence', `Here you are:\n\n${fence}md\n${sections}${fence}\n`, ['MISSING_YAML_HEADER']],
    ['broken YAML', `---\nadr_id: "7\ntitle: x\n---\n${sections}`, ['INVALID_YAML']],
    ['duplicate keys', `---\nadr_id: 1\nadr_id: 2\ntitle: x\nstatus: y\n---\n${sections}`, ['INVALID_YAML']],
    ['a list for a header', `---\n- adr_id\n- title\n---\n${sections}`, ['INVALID_YAML']],
    [
      'an alias bomb',
      `---\nadr_id: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c]\n${'e: [*b,*b,*b,*b,*b,*b,*b,*b]\n'.repeat(1)}---\n${sections}`,
      ['INVALID_YAML'],
    ],
    ['ten thousand brackets', `---\nadr_id: ${'['.repeat(10_000)}\n---\n${sections}`, ['TOO_COMPLEX']],
    ['a section of another level', `${header}${sections.replace('## Context', '### Context')}`, ['MISSING_ADR_SECTION']],
    ['a section whose name only begins so', `${header}${sections.replace('## Context', '## Contextual notes')}`, ['MISSING_ADR_SECTION']],
    ['a section in a fence', `${header}${sections.replace('## Context', `${fence}\n## Context\n${fence}`)}`, ['MISSING_ADR_SECTION']],
    ['a section in a comment', `${header}${sections.replace('## Context', '<!--\n## Context\n-->')}`, ['MISSING_ADR_SECTION']],
    ['a section in a quote', `${header}${sections.replace('## Context', '> ## Context')}`, ['MISSING_ADR_SECTION']],
    ...['', 'text', 'txt', 'plaintext'].map((tag): [string, string, string[]] => [
      `a record in a fence of ${tag || 'no language'}`,
      `Here:\n\n${fence}${tag}\n${header}${sections.replace('## Context', '## Risks')}\n${fence}\n`,
      ['MISSING_ADR_SECTION'],
    ]),
    [
      'a blank line below the rule',
      (header + sections).replace('---\n', '---\n\n').replace('status: Proposed\n', ''),
      ['MISSING_ADR_FIELD'],
    ],
    ['an empty section', header + sections.replace('\nx\n', '\n<!-- to do -->\n'), ['MISSING_ADR_SECTION']],
    ['an empty section at the end', `${header}${sections.replace(/- \[[\s\S]*/, '')}`, ['MISSING_ADR_SECTION', 'INSUFFICIENT_CRITERIA']],
    ...['', 'Here:\n\n', 'Here:\n'].map((before): [string, string, string[]] => [
      `a header that never closes after ${JSON.stringify(before)}`,
      `${before}---\nadr_id: 7\ntitle: x\n\nText.\n`,
      ['MISSING_YAML_HEADER', 'MISSING_ADR_SECTION', 'MISSING_ADR_SECTION', 'MISSING_ADR_SECTION'],
    ]),
    ['an unclosed header and no title', `---\nadr_id: 7\n${sections.replace('# ADR-007: Ports\n', '')}`, ['MISSING_YAML_HEADER']],
    ['itself twice without a header', sections + sections, ['MISSING_YAML_HEADER']],
    ['unclosed header', `---\nadr_id: 7\ntitle: x\nstatus: y\n${sections}`, ['MISSING_YAML_HEADER']],
    ['few criteria', header + sections.replace('* [ ] c\n', '* c\n'), ['INSUFFICIENT_CRITERIA']],
    ['criteria of another section', `${header}${sections.replace('* [ ] c\n', '')}\n## Mehr\n\n- [ ] c\n`, ['INSUFFICIENT_CRITERIA']],
  ])('%s is reported', async (_name, text, codes) => {
    expect((await report(text)).codes).toEqual(codes)
  })

  test.each(['## Context:', '## 1. Context', '### Context', '# Context', '## CONTEXT', '## **Context**'])(
    'the hint names a heading that is nearly right: %s',
    async (near) => {
      const { issues } = await check(contract({ checks: ['adr_structure'] }), header + sections.replace('## Context', near))
      expect(issues[0]?.hint).toBe(`Write the heading '${near}' as '## Context'`)
    },
  )

  test('counts criteria in subsections and with any bullet', async () => {
    const text = `${header}${sections}\n### Tests\n\n1. [ ] d\n+ [X] e\n  - [ ] nested\n`
    expect((await report(text)).criteria).toBe(6)
  })

  test('fields, sections and language are options', async () => {
    expect((await report(header + germanSections, { language: 'de' })).codes).toEqual([])
    expect((await report(header + germanSections)).paths).toEqual(['Context', 'Decision', 'Acceptance Criteria'])
    expect((await report(header + sections, { fields: ['adr_id', 'owner'], sections: ['Context', 'Risks'] })).paths).toEqual([
      'owner',
      'Risks',
    ])
  })

  test.each(['en', 'de'] as const)('headings are in the language of the contract by default, whole and streamed: %s', async (locale) => {
    const own = { en: sections, de: germanSections }
    const other = locale === 'en' ? 'de' : 'en'
    const judge = async (text: string, options: Record<string, unknown>) => {
      const rules = contract({ checks: [{ adr_structure: options }], locale, retries: 0 })
      const streamed = enforceStream({ contract: rules, runner: scripted([text]), prompt: 'ADR 7, please.' })
      for await (const _ of streamed);
      return [(await check(rules, text)).issues.length, (await streamed.outcome).issues.length]
    }
    expect(await judge(header + own[locale], {})).toEqual([0, 0])
    expect(await judge(header + own[other], {})).toEqual([3, 3])
    expect(await judge(header + own[other], { language: other })).toEqual([0, 0])
    expect(adrStructure.definition.instruct({ profile: 'helix', required: false, minCriteria: 3 }, locale)).toContain(
      locale === 'en' ? 'Acceptance Criteria' : 'Akzeptanzkriterien',
    )
  })

  test('the preset helix asks for German headings whatever its locale', async () => {
    const rules = contract({ preset: 'helix', checks: ['adr_structure'], locale: 'en' })
    expect((await check(rules, header + germanSections)).issues).toEqual([])
  })

  test('required: the check never steps aside', async () => {
    expect((await report('Just a chat.', { required: true })).codes).toEqual([
      'MISSING_YAML_HEADER',
      ...Array(3).fill('MISSING_ADR_SECTION'),
    ])
  })
})

test.each([
  ['a header that never closes', `Here:\n\n---\nadr_id: 7\n\nText.\n\nMore.\n`],
  ['a record in a fence without a language', `Here:\n\n${fence}\n${header}\n# ADR-007: Ports\n${fence}\n\nDone.\n`],
  ['a blank line below the rule', `---\n\nadr_id: 7\ntitle: x\n---\n${sections}`],
  ['an empty section before another record', `${header}${sections.replace('\nx\n', '')}${header.replace('7', '8')}${sections}`],
  ['a template', `${header.replace('7', 'NNN')}\n## Context\n\n${header}${sections}`],
  ['its title twice', `${header}\n# ADR-007: Ports\n${sections}`],
])('a stream of %s is judged as the whole', async (_name, text) => {
  await assertStreamable(contract({ checks: ['adr_structure'] }), text, [1, 3, 50])
})

describe('the profiles', () => {
  const madr = '# Use ports\n\n## Context and Problem Statement\n\nx\n\n## Considered options\n\n* a\n\n## Decision Outcome\n\ny\n'
  const nygard = '# 1. Ports\n\n## Status\n\nx\n\n## Context\n\nx\n\n## Decision\n\nx\n\n## Consequences\n\nx\n'
  test.each([
    ['madr', madr, []],
    ['madr', `---\nstatus: x\n---\n${madr}`, []],
    ['madr', `---\n# nothing\n---\n${madr}`, []],
    ['madr', `---\nstatus: "x\n---\n${madr}`, ['INVALID_YAML']],
    ['madr', `---\na: 1\na: 2\n---\n${madr}`, ['INVALID_YAML']],
    ['madr', madr.replace('\n\ny\n', '\n'), []],
    ['madr', madr.replace('# Use ports\n', ''), ['MISSING_ADR_FIELD']],
    ['madr', madr.replace('## Decision Outcome', '### decision outcome'), []],
    ['madr', madr.replace('## Decision Outcome', '# Decision Outcome'), ['MISSING_ADR_SECTION']],
    ['madr', madr.replace('## Decision Outcome', 'Decision Outcome'), ['MISSING_ADR_SECTION']],
    ['nygard', nygard, []],
    ['nygard', nygard.replace('## Consequences', 'Consequences'), ['MISSING_ADR_SECTION']],
  ])('%s %#', async (profile, text, codes) => {
    expect((await report(text, { profile, required: true })).codes).toEqual(codes)
  })
})

test('says everything in both languages', async () => {
  const adr = (header: string, body: string) => ({ options: { language: 'de' }, text: `---\n${header}\n---\n\n# ADR-1: T\n${body}` })
  const whole = 'adr_id: "1"\ntitle: T\nstatus: S'
  const sections = '\n## Kontext\n\nA\n\n## Entscheidung\n\nB\n\n## Akzeptanzkriterien\n\n- [ ] C\n'
  expect(
    await localeFaults(
      'adr_structure',
      [
        { options: { required: true, language: 'de' }, text: '# ADR-1: T\n## Kontext\n## Entscheidung\n## Akzeptanzkriterien\n' },
        adr('adr_id: "1"\ntitle: [', sections),
        adr('adr_id: "1"\nadr_id: "2"', sections),
        adr('adr_id: "1"\ntitle:', sections),
        adr(whole, '\n## Kontext\n'),
        adr(whole, sections),
      ],
      catalogue,
      ['MISSING_YAML_HEADER', 'INVALID_YAML', 'MISSING_ADR_FIELD', 'MISSING_ADR_SECTION', 'INSUFFICIENT_CRITERIA'],
    ),
  ).toEqual([])
})
