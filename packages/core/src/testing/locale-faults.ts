import { Answer, type AnswerParts } from '../answer/answer.ts'
import { catalogue as generic } from '../catalogue.ts'
import { buildContract, type Catalogue } from '../contract/contract.ts'
import type { FilePort } from '../contract/ports.ts'
import type { SyntaxParser } from '../contract/syntax.ts'
import { check } from '../engine/check/check.ts'
import { messageFaults } from './message-faults.ts'

/** An answer that breaks a rule of a validator. */
export interface Example {
  readonly options?: Readonly<Record<string, unknown>>
  readonly text?: string
  readonly parts?: AnswerParts
  readonly context?: Readonly<Record<string, unknown>>
  /** What a library says of it. */
  readonly said?: string
}

/** Words that only English has; what others say, and data, is in quotes. */
const english = /\b(?:the|is|are|has|have|must|not|with|and|or|of|to|it|its|at|by|for|from|than|that|this|be|but|no|more|one|which)\b/i
// backtracks: messages are short
const quoted = /"(?:[^"\\]|\\.)*"/g

const files: FilePort = { kind: async () => 'missing', list: async () => ['src/a.ts'] }
const fault = { line: 1, column: 4, endLine: 1, endColumn: 5, message: 'the comma is not allowed', suggestion: '[1]' }
const parser: SyntaxParser = {
  parse: async (language) => (language === 'bash' ? { verdict: 'valid' } : { verdict: 'invalid', trace: [fault] }),
}
const rule = { ask: async () => ({ issues: [{ message: 'Sag mehr.', hint: 'Mehr.' }] }) }

async function issuesOf(
  name: string,
  { options = {}, text = '', parts = {}, context = {} }: Example,
  locale: 'en' | 'de',
  catalogue: Catalogue,
) {
  const ports = { files, parser, model: async () => 'NO', remote: rule, command: rule }
  const rules = buildContract({ checks: [{ [name]: options }], locale }, catalogue)
  return (await check(rules, new Answer(text, parts), { context, ports })).issues
}

/** What messages may quote: as it is, and with the escapes of JSON. */
function dataOf({ options, text = '', parts, context, said = '' }: Example): string {
  const texts = [text, said, fault.message, fault.suggestion, 'Sag mehr', 'Mehr']
  JSON.stringify([options, parts, context], (key, value: unknown) => {
    texts.push(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
    return value
  })
  return texts.join('\n')
}

/** Codes of a validator that none of its examples yields, and messages that are not in both languages; the German ones of some codes may be quoted from a template as they are. */
export async function localeFaults(
  name: string,
  examples: readonly Example[],
  catalogue = generic,
  quotedInGerman: readonly string[] = [],
): Promise<string[]> {
  const unseen = new Set(catalogue.validators.flatMap(({ definition }) => (definition.name === name ? Object.keys(definition.codes) : [])))
  const faults: string[] = []
  for (const example of examples) {
    const [en, de] = [await issuesOf(name, example, 'en', catalogue), await issuesOf(name, example, 'de', catalogue)]
    for (const issue of [...en, ...de]) {
      const { code, message, hint } = issue
      const isGiven = de.includes(issue) && quotedInGerman.includes(code)
      for (const fault of messageFaults({ message, hint, data: dataOf(example), isGiven }))
        faults.push(`${code} ${fault}: ${message} ${hint ?? ''}`)
    }
    if (de.length !== en.length) faults.push(`${de.length} issues in German, ${en.length} in English`)
    for (const [index, { code, message, hint = '' }] of de.entries()) {
      unseen.delete(code)
      const other = en[index]
      if (other?.code !== code) faults.push(`${code} in German, ${other?.code} in English`)
      if (english.test(`${message} ${hint}`.replace(quoted, ''))) faults.push(`${code} is in English: ${message} ${hint}`)
      if (message === other?.message) faults.push(`${code} is the same in both: ${message}`)
    }
  }
  return [...faults, ...[...unseen].map((code) => `no example yields ${code}`)]
}
