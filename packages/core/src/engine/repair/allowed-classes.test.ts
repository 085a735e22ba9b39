import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogue, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer, type AnswerParts } from '../../answer/answer.ts'
import { type Certificate, type RepairClass, repairClasses } from '../../contract/certificate.ts'
import type { Policy } from '../../contract/policy.ts'
import type { Ports } from '../../contract/ports.ts'
import { scripted } from '../../runners/scripted.ts'
import { enforce, enforceStream } from '../enforce.ts'
import { settle } from './settle.ts'

interface Sample {
  readonly options?: Record<string, unknown>
  readonly text: string
  readonly parts?: AnswerParts
  readonly context?: Record<string, unknown>
}

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['km', 'mile'] } },
  required: ['city'],
  additionalProperties: false,
}
const tools = [{ name: 'ping_host', parameters: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] } }]
const call = (name: string, given: string): Sample => ({
  text: '',
  parts: { toolCalls: [{ name, arguments: given }] },
  context: { tools },
})
const plan = '---\nfiles:\n  modify:\n    - src/new.ts\n---\n\n# The plan\n'

/** Answers that a repair of the validator changes, in every class that it knows. */
const samples: Readonly<Record<string, readonly Sample[]>> = {
  json: [
    ...['{"city": "Ulm",}', '{"city": "Ulm", "days": NaN}', '{"city": "Ulm", "days": }'].map((text) => ({ text })),
    ...['{"city": "Ulm', '["a", "b"', '{"a": 12', '{"a":'].flatMap((text) => [{ text, options: { partial: true } }, { text }]),
    ...[
      '{"city": "Ulm", "days": "2"}',
      '{"city": "Ulm", "x": 1}',
      '{"city": "Ulm", "unit": "miel"}',
      '{"city": "Ulm", "days": "1,000"}',
    ].map((text) => ({ text, options: { schema } })),
    ...repairClasses.map((one) => ({ text: '{"city": "Ulm', options: { allow: [one] } })),
  ],
  tool_calls: [
    call('Ping-Host', "{'host': 'gw'}"),
    call('ping_hosts', '{"host": "gw"}'),
    call('ping_host', 'The arguments are {"host": "gw"} I think'),
    call('ping_host', '{"hots": "gw"}'),
    { text: '{"name": "ping_host", "arguments": {"host": "gw"}}', context: { tools } },
    { text: 'Let me see.\n<tool_call>{"name": "ping_host", "arguments": {"host": "gw"}}</tool_call>', context: { tools } },
  ],
  citations: [{ text: 'It is so [^1] and [^9].', options: { sources: 2, dropUnsupported: true } }],
  contains: [{ text: 'A bad word.', options: { none: [{ text: 'bad', replace: 'good' }] } }],
  pattern: [{ text: 'A bad word.', options: { deny: [{ regex: 'bad', replace: 'good' }] } }],
  affixes: [
    { text: 'yes', options: { starts: 'Yes', caseSensitive: true } },
    { text: 'No.', options: { starts: 'Yes', ends: 'Bye.', wrappedIn: '"' } },
  ],
  markdown: [{ text: '### Plan\n', options: { headings: { levels: [2] } } }],
  one_of: [
    { text: 'Yes.', options: { values: ['yes', 'no'] } },
    { text: 'yess', options: { values: ['yes', 'no'] } },
  ],
  boilerplate: [{ text: 'Sure, here it is:\n\nNo.' }, { text: 'No.\n\nShall I go on?', options: { remove: true } }],
  casing: [{ text: 'No.', options: { is: 'upper' } }],
  leaks: [{ text: 'No.<|im_end|>' }, { text: 'No.\n\nUser: Why?' }],
  links: [{ text: '[a](javascript:x)' }],
  sensitive: [{ text: 'Mail jane@acme.com.' }, { text: 'Mail jane@acme.com.', options: { redact: true } }],
  step_marker: [{ text: 'Which database?' }, { text: 'Which one?\n<!-- STEP: whut -->' }],
  file_existence: [{ text: plan }],
  command: [{ text: 'Hello damn you.', options: { name: 'polite', run: ['rule'] } }],
  remote: [{ text: 'Hello damn you.', options: { name: 'polite', url: 'http://127.0.0.1:1/' } }],
  code_syntax: [{ text: '```x\np(“a”)\n```\n' }, { text: '````x\np(1)\n```\n' }],
}

const place = { line: 1, column: 1, endLine: 1, endColumn: 2 }
/** A rule that offers one repair of each class, for one word each. */
const rule: NonNullable<Ports['remote'] & Ports['command']> = {
  ask: async (_rule, { text }) => {
    const words = ['Hello', 'damn', 'you'].filter((word) => String(text).includes(word))
    const repairs = words.map((word, at) => {
      const start = String(text).indexOf(word)
      return { class: repairClasses[at], span: { start, end: start + word.length }, before: word, after: '…' }
    })
    return { issues: words.map((word) => ({ message: `Do not say ${word}.` })), repairs }
  },
}
const ports: Ports = {
  remote: rule,
  command: rule,
  files: { kind: async () => 'missing', list: async () => [] },
  // Curly quotes and fences are faults.
  parser: {
    parse: async (_language, source) =>
      /[“”`]/.test(source) ? { verdict: 'invalid', trace: [{ ...place, message: 'unexpected character' }] } : { verdict: 'valid' },
  },
}
const subsets = repairClasses.reduce<RepairClass[][]>((all, one) => all.concat(all.map((set) => [...set, one])), [[]])

/** Every certificate of an answer under a contract, by the way it took. */
async function certificates(
  name: string,
  { options = {}, text, parts = {}, context = {} }: Sample,
  policy: Partial<Policy>,
): Promise<Certificate[]> {
  const rules = contract({ checks: [{ [name]: options }], ...policy })
  const turn = { text, ...(parts.toolCalls ? { toolCalls: parts.toolCalls } : {}) }
  const given = { contract: rules, prompt: 'x', context, ports }
  const settled = await settle(rules, new Answer(text, parts), { context, ports })
  const whole = await enforce({ ...given, runner: scripted([turn, turn]) })
  const stream = enforceStream({ ...given, runner: scripted([turn, turn]) })
  for await (const _text of stream);
  return [...settled.repairs, ...whole.repairs, ...(await stream.outcome).repairs]
}

const repairing = catalogue.validators.map(({ definition }) => definition).filter(({ repairs }) => repairs)

describe('the classes that a contract allows', () => {
  test('every validator that repairs has samples', () => {
    expect(Object.keys(samples).sort()).toEqual(repairing.map(({ name }) => name).sort())
  })

  test.each(Object.keys(samples))('%s: no certificate of another class, with any order of repair and mode', async (name) => {
    const seen = new Set<string>()
    for (const allow of subsets) {
      for (const sample of samples[name] ?? []) {
        for (const policy of [{ repair: 'first', retries: 1 }, { mode: 'lenient' }] as const) {
          const made = await certificates(name, sample, { ...policy, allow })
          for (const { rule, class: kind } of made) {
            seen.add(kind)
            expect(allow, `${rule} on ${JSON.stringify(sample.text)}`).toContain(kind)
          }
        }
      }
    }
    expect(seen.size).toBeGreaterThan(0)
  })

  test('JSON that is cut off anywhere is not completed without a guess', async () => {
    const allow = fc.constantFrom(...subsets.filter((set) => !set.includes('guess')))
    const ends = fc.constantFrom(undefined, 'stop', 'length')
    const cut = fc
      .tuple(fc.jsonValue({ maxDepth: 3 }), fc.nat())
      .map(([value, at]) => ({ whole: JSON.stringify([value, { end: 'x' }]), at }))
    await fc.assert(
      fc.asyncProperty(cut, allow, fc.boolean(), ends, async ({ whole, at }, classes, partial, finishReason) => {
        const answer = new Answer(whole.slice(0, 1 + (at % (whole.length - 1))), { finishReason })
        const { status, text, repairs } = await settle(contract({ checks: [{ json: { partial } }], allow: classes }), answer)
        expect([status, text, repairs]).toEqual(['unresolved', answer.text, []])
      }),
      { numRuns: 200 },
    )
  })

  test.each(Object.keys(samples))(
    '%s: without a word on classes only `lossless`, but for what an option asks for by name',
    async (name) => {
      for (const sample of samples[name] ?? []) {
        if (
          sample.options?.none ||
          sample.options?.deny ||
          sample.options?.redact ||
          sample.options?.remove ||
          sample.options?.dropUnsupported
        )
          continue
        const made = await certificates(name, sample, { repair: 'first', retries: 1 })
        expect(made.every(({ class: kind }) => kind === 'lossless')).toBe(true)
      }
    },
  )

  test('a last resort is a guess, and says so', async () => {
    const answer = new Answer('{"city": "Ulm", "days": }')
    expect((await settle(contract({ checks: ['json'] }), answer)).status).toBe('unresolved')
    const { status, repairs } = await settle(contract({ checks: ['json'], lastResort: ['guess'] }), answer)
    expect([status, ...new Set(repairs.map(({ class: kind }) => kind))]).toEqual(['repaired', 'guess'])
  })

  test('a caller can narrow what the contract allows, not widen it', async () => {
    const rules = contract({ checks: ['json'], allow: ['lossless'] })
    expect((await settle(rules, '{"city": "Ul', { allow: repairClasses })).status).toBe('unresolved')
    expect((await settle(rules, '{"city": "Ulm",}', { allow: repairClasses })).status).toBe('repaired')
    expect((await settle(rules, '{"city": "Ulm",}', { allow: [] })).status).toBe('unresolved')
  })
})
