import { describe, expect, test } from 'vitest'
import { Answer, type AnswerParts } from '../answer/answer.ts'
import { catalogue, contract } from '../catalogue.ts'
import type { FilePort } from '../contract/ports.ts'
import type { SyntaxParser } from '../contract/syntax.ts'
import { check } from '../engine/check/check.ts'

interface Example {
  readonly options?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly parts?: AnswerParts
  readonly context?: Readonly<Record<string, unknown>>
}

const adr = (header: string, body: string) => ({ options: { language: 'de' }, text: `---\n${header}\n---\n\n# ADR-1: T\n${body}` })
const whole = 'adr_id: "1"\ntitle: T\nstatus: S'
const sections = '\n## Kontext\n\nA\n\n## Entscheidung\n\nB\n\n## Akzeptanzkriterien\n\n- [ ] C\n'
const modifies = (files: string) => ({ text: `---\nfiles:\n  modify: ${files}\n---\n` })
const parameters = { type: 'object', required: ['host'], additionalProperties: false }
const properties = { host: { type: 'string', minLength: 3 }, kind: { enum: ['a', 'b'] }, count: { type: 'integer' } }
const tools = [{ type: 'function', function: { name: 'ping', parameters: { ...parameters, properties } } }]
const calls = (...given: (string | [name: string, text: string])[]): Example => ({
  parts: {
    toolCalls: given.map((one) => (typeof one === 'string' ? { name: 'ping', arguments: one } : { name: one[0], arguments: one[1] })),
  },
  context: { tools, parallelToolCalls: false },
})
const order = ['first', 'second']

/** Answers that yield every code of every validator. */
const examples: Readonly<Record<string, readonly Example[]>> = {
  step_marker: [
    { text: 'Hallo.' },
    { text: '<!-- STEP: gone -->' },
    { options: { requireAtEnd: true }, text: '<!-- STEP: why --> Hallo.' },
  ],
  adr_structure: [
    { options: { required: true, language: 'de' }, text: '# ADR-1: T\n## Kontext\n## Entscheidung\n## Akzeptanzkriterien\n' },
    adr('adr_id: "1"\ntitle: [', sections),
    adr('adr_id: "1"\nadr_id: "2"', sections),
    adr('adr_id: "1"\ntitle:', sections),
    adr(whole, '\n## Kontext\n'),
    adr(whole, sections),
  ],
  file_existence: [
    modifies('[src/b.ts]'),
    modifies('[../b.ts, /etc/passwd]'),
    modifies('[1, {a: b}]'),
    modifies('{a: b}'),
    { text: `---\nadr_id: 1\nfiles:\n  modify: [a]\n  modify: [b]\n---\n` },
    { options: { maxEntries: 2 }, ...modifies('[a, b, c]') },
  ],
  affixes: [
    { options: { starts: 'Ja', ends: 'Gut.' }, text: 'Nein' },
    { options: { wrappedIn: '"' }, text: 'Nein' },
  ],
  casing: [
    { options: { is: 'lower' }, text: 'Eins' },
    { options: { is: 'upper' }, text: 'Eins' },
  ],
  markdown: [
    {
      options: { headings: { levels: [1], required: ['Ziel', 'Plan', 'Risiko'] }, bullets: { max: 0 }, tables: { min: 1 } },
      text: '## Plan\n- eins\n## Ziel\n',
    },
  ],
  language: [{ options: { is: ['de'] }, text: 'Извините, я не могу ответить.' }],
  one_of: [
    { options: { values: ['ja', 'nein'] }, text: 'Nein.' },
    { options: { values: ['ja'] }, text: 'vielleicht' },
  ],
  length: [
    { options: { words: { min: 2 }, characters: { max: 1 } }, text: 'Eins.' },
    { options: { parts: { separator: '*', min: 1, distinct: true } }, text: 'Eins**Eins' },
  ],
  max_words: [{ options: { limit: 1 }, text: 'Eins zwei.' }],
  contains: [{ options: { all: ['a'], any: ['b', 'c'], none: ['d'], counts: [{ text: 'e', min: 2 }] }, text: 'D' }],
  links: [{ options: { hosts: ['a.com'], relative: false }, text: '[a](javascript:x) https://b.com [c](/d)' }],
  pattern: [{ options: { require: [{ regex: 'x' }, { regex: 'y', min: 2 }], deny: [{ regex: 'd' }] }, text: 'd' }],
  sensitive: [{ text: 'jane@acme.com' }],
  citations: [
    { text: 'A[^9].', context: { sources: 1 } },
    { text: 'A[^x].', context: { sources: 1 } },
    { options: { requireCitations: true }, text: 'A.', context: { sources: 1 } },
  ],
  command: [{ options: { name: 'regel', run: ['rule'] }, text: 'Hallo.' }],
  context_relevance: [
    { context: { question: 'Welche Nachricht kommt aus Lissabon?', context: ['Nudeln'] } },
    { options: { strategy: 'llm' }, context: { question: 'Welche Nachricht kommt aus Lissabon?', context: [] } },
  ],
  code_syntax: [{ text: '```json\n[1,]\n```' }],
  phantom_tools: [{ text: 'Ich rufe `wifi_scan()` auf. I used the tool wifi_scan.', context: { tools } }],
  remote: [{ options: { name: 'regel', url: 'http://127.0.0.1:1/' }, text: 'Hallo.' }],
  json: [
    { text: 'Nichts.' },
    { text: '{"a": tru' },
    { text: '{"a" 1}' },
    { text: '{"a":1} {"a":2}' },
    { text: '{"a":1,"a":2}' },
    { options: { deliver: 'value' }, text: 'Hier ist es: {"a":1}' },
    { options: { schema: { type: 'object', required: ['a'], properties: { b: { type: 'string' } } } }, text: '{"b":1}' },
  ],
  tool_calls: [
    calls(['nmap', '{}']),
    calls('{"host":"abc"}', '{"host":"abc"}'),
    calls('{bad}'),
    calls('[1]'),
    calls('{"host":"abc","host":"abd"}'),
    calls('{}'),
    calls('{"host":"abc","kind":"c"}'),
    calls('{"host":"abc","count":"x"}'),
    calls('{"host":"abc","hots":"x"}'),
    calls('{"host":"ab"}'),
    { ...calls('{"host":"a'), parts: { toolCalls: [{ name: 'ping', arguments: '{"host":"a' }], finishReason: 'length' } },
    { text: '<tool_call>{"name":"ping","arguments":{"host":"abc"}}</tool_call>', context: { tools } },
    { text: '', context: { tools } },
  ],
  tool_sequence: [
    { options: { order }, ...calls(['second', '{}'], ['first', '{}']) },
    { options: { expect: ['first'] }, ...calls(['nmap', '{}']) },
    { options: { expect: ['first', 'second'] }, ...calls(['first', '{}']) },
  ],
}

/** Codes whose messages carry sentences of JSON Schema, of the JSON reader or of a parser, which are in English. */
const inEnglish: ReadonlySet<string> = new Set(['SCHEMA_MISMATCH', 'INVALID_ARGUMENT', 'INVALID_JSON', 'SYNTAX_ERROR'])

const files: FilePort = { kind: async () => 'missing', list: async () => ['src/a.ts'] } as unknown as FilePort
const fault = { line: 1, column: 4, endLine: 1, endColumn: 5, message: 'the comma is not allowed', suggestion: '[1]' }
const parser: SyntaxParser = { parse: async () => ({ verdict: 'invalid', trace: [fault] }) }

const rule = { ask: async () => ({ issues: [{ message: 'Sag mehr.', hint: 'Mehr.' }] }) }

async function issuesOf(name: string, { options = {}, text = '', parts = {}, context = {} }: Example, locale: 'en' | 'de') {
  const one = contract({ checks: [{ [name]: options }], locale })
  const { issues, unchecked } = await check(one, new Answer(text, parts), {
    context,
    ports: { files, parser, model: async () => 'NO', remote: rule, command: rule },
  })
  return { issues, unchecked }
}

describe.each(catalogue.validators.map(({ definition }) => [definition.name, Object.keys(definition.codes)] as const))(
  '%s',
  (name, codes) => {
    test('says everything in both languages', async () => {
      const seen = new Set<string>()
      for (const example of examples[name] ?? []) {
        const [en, de] = [await issuesOf(name, example, 'en'), await issuesOf(name, example, 'de')]
        expect(de.issues.map(({ code }) => code)).toEqual(en.issues.map(({ code }) => code))
        for (const [index, { code, message, hint = '' }] of de.issues.entries()) {
          seen.add(code)
          if (!inEnglish.has(code)) expect(`${message} ${hint}`).not.toMatch(/\b(?:the|is|are|has|have|must|not|with|and|of|to|it)\b/i)
          if (code !== 'SCHEMA_MISMATCH') expect(message).not.toBe(en.issues[index]?.message)
        }
      }
      expect([...seen].sort()).toEqual(expect.arrayContaining([...codes].sort()))
    })
  },
)
