import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { catalogue, contract } from '../../catalogue.ts'
import type { Certificate, RepairClass } from '../../contract/certificate.ts'
import { buildContract, type Contract, type ContractInput } from '../../contract/contract.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator, type IncrementalCheck, type Progress, type StreamContract } from '../../contract/validator.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { contains } from '../../validators/contains/index.ts'
import { maxWords } from '../../validators/max-words.ts'
import { enforceStream } from '../enforce.ts'
import type { TraceEvent } from '../trace.ts'

interface Redaction {
  readonly name: string
  /** What is taken out, as long as it goes. */
  readonly what: RegExp
  readonly after: string
  readonly class?: RepairClass
  readonly allow?: readonly RepairClass[]
}

/** A validator that takes out runs of characters, whole and on the way. */
function redacts({ name, what, after, class: kind = 'lossy', allow = ['lossy'] }: Redaction) {
  const certificates = (text: string, offset = 0): Certificate[] =>
    [...text.matchAll(new RegExp(`${what.source}+`, 'gu'))].map(({ 0: before, index }) => ({
      rule: name,
      class: kind,
      span: { start: offset + index, end: offset + index + before.length },
      before,
      after,
      secret: true,
    }))
  class Runs implements IncrementalCheck<'FOUND'> {
    readonly #told: StreamContract | undefined
    #open = ''
    #length = 0
    constructor(told: StreamContract | undefined) {
      this.#told = told
    }
    push(chunk: string): Progress<'FOUND'> {
      const text = this.#open + chunk
      const from = this.#length - this.#open.length
      this.#length += chunk.length
      this.#open = new RegExp(`${what.source}+$`, 'u').exec(text)?.[0] ?? ''
      const safe = this.#length - this.#open.length
      const edits = certificates(text.slice(0, text.length - this.#open.length), from)
      if (edits.length === 0) return { safe }
      if (this.#told?.edits) return { safe, edits }
      const { start } = (edits[0] as Certificate).span
      const final = this.#told?.allow.includes(kind) ? {} : { final: true as const }
      return { safe: start, failure: { at: start + 1, issues: [issue('FOUND', 'Leave it out.')], ...final } }
    }
  }
  return defineValidator({
    name,
    summary: 'For tests.',
    options: z.strictObject({}),
    codes: { FOUND: { severity: 'error', when: '', fix: '' } },
    instruct: () => '',
    prepare: () => ({
      edits: kind,
      allow,
      optedIn: true,
      *check({ text }) {
        for (const { span } of certificates(text)) yield issue('FOUND', 'Leave it out.', { span })
      },
      *repair({ text }) {
        yield* certificates(text)
      },
      incremental: (_context, told) => new Runs(told),
    }),
  })({})
}

const digits = redacts({ name: 'digits', what: /\d/, after: '#' })
const crosses = redacts({ name: 'crosses', what: /[x#]/, after: '' })
const long = redacts({ name: 'long', what: /y/, after: 'Redacted for good.' })

async function streamed(rules: Contract, turns: Parameters<typeof scripted>[0], onEvent?: (event: TraceEvent) => void) {
  const runner = scripted(turns)
  const stream = enforceStream({ contract: rules, runner, prompt: '', ...(onEvent && { onEvent }) })
  const shown: string[] = []
  for await (const piece of stream) shown.push(piece)
  return { shown, outcome: await stream.outcome, calls: runner.calls }
}

const rulesOf = (checks: ContractInput['checks'], policy: Partial<ContractInput> = {}) =>
  buildContract({ checks: checks ?? [], ...policy }, catalogue)

describe('edits of a live stream', () => {
  test('the stream goes on with the edited text, and the outcome has the certificates', async () => {
    const events: TraceEvent[] = []
    const text = 'Call 0123 or 45 now, please.'
    const { shown, outcome } = await streamed(rulesOf([digits]), [{ chunks: [...text] }], (event) => events.push(event))
    expect(shown.length).toBeGreaterThan(15)
    expect(shown.join('')).toBe('Call # or # now, please.')
    expect(outcome).toMatchObject({ status: 'repaired', delivered: true, text: 'Call # or # now, please.', attempts: 1 })
    expect(outcome.repairs).toEqual([
      { rule: 'digits', class: 'lossy', span: { start: 5, end: 9 }, before: '[hidden]', after: '#', secret: true },
      { rule: 'digits', class: 'lossy', span: { start: 13, end: 15 }, before: '[hidden]', after: '#', secret: true },
    ])
    expect(outcome.fixed).toHaveLength(2)
    const edited = events.flatMap((event) => (event.type === 'text-released' && event.edited ? [event.edited] : []))
    expect(edited).toEqual([
      { offset: 5, raw: 4 },
      { offset: 10, raw: 2 },
    ])
  })

  test('streamed and whole agree, for any texts, chunks and validators', async () => {
    const piece = fc.constantFrom('a', 'b ', '1', '23', 'x', 'xx', 'y', '#', '\n', '👍', ' ', '.', '<think>', '</think>')
    const text = fc.array(piece, { minLength: 1, maxLength: 25 }).map((parts) => parts.join(''))
    const sets = [[digits], [crosses, digits], [digits, crosses], [long, digits, crosses], [maxWords({ limit: 6 }), digits, long]]
    const others = [[], [contains({ none: ['a#', 'ab'] })], [maxWords({ limit: 4 })], [contains({ all: ['b'] })]]
    const policies = [{}, { repair: 'last' }, { mode: 'lenient' }, { stream: 'hold' }, { unresolved: 'deliver' }] as const
    const choice = fc.tuple(fc.constantFrom(...sets), fc.constantFrom(...others), fc.constantFrom(...policies))
    await fc.assert(
      fc.asyncProperty(
        text,
        choice,
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
        async (said, [set, other, policy], sizes) => {
          if (said.trim() === '') return
          const named = new Set(set.map(({ definition }) => definition.name))
          const checks = [...set, ...other.filter(({ definition }) => !named.has(definition.name))]
          await assertStreamable(rulesOf(checks, policy), said, [1, 3, sizes])
        },
      ),
      { numRuns: 80 },
    )
  })

  test('what other validators judge is the edited text', async () => {
    const rules = rulesOf([digits, contains({ none: ['a#'] })], { retries: 1 })
    const { shown, outcome } = await streamed(rules, [{ chunks: ['Say a', '12 b'] }, 'Say c.'])
    expect([shown.join(''), outcome.status, outcome.attempts]).toEqual(['Say c.', 'valid', 2])
    expect(await streamed(rulesOf([contains({ none: ['12'] }), digits]), [{ chunks: ['Say a', '12 b'] }])).toMatchObject({
      outcome: { status: 'repaired', text: 'Say a# b' },
    })
  })

  test.each<[string, ContractInput['checks'], Partial<ContractInput>]>([
    ['a class that the contract does not allow', [digits], { allow: ['lossless'] }],
    ['a class that the validator does not allow', [redacts({ name: 'digits', what: /\d/, after: '#', allow: ['lossless'] })], {}],
    ['repairs that come last', [digits], { repair: 'last' }],
    ['no repairs', [digits], { repair: 'never' }],
  ])('%s makes a violation a reason to ask again', async (_name, checks, policy) => {
    const { shown, outcome, calls } = await streamed(rulesOf(checks, { ...policy, retries: 1 }), [
      { chunks: ['Call ', '12', ' now'] },
      'Call me.',
    ])
    expect(shown.join('')).toBe('Call me.')
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2, repairs: [] })
    expect(calls[0]?.aborted).toBe(true)
  })

  test('a continuation keeps what was edited and shown before', async () => {
    const rules = rulesOf([digits, contains({ none: ['never'] })], { retries: 1 })
    const { shown, outcome, calls } = await streamed(rules, [
      { chunks: ['Call 12 and', ' never 3 ', 'again'] },
      { chunks: [' then 45', ' rest.'] },
    ])
    expect(shown.join('')).toBe('Call # and then # rest.')
    expect(outcome).toMatchObject({ status: 'repaired', text: 'Call # and then # rest.', attempts: 2 })
    expect(outcome.repairs.map(({ span, after }) => [span, after])).toEqual([
      [{ start: 5, end: 7 }, '#'],
      [{ start: 16, end: 18 }, '#'],
    ])
    expect(JSON.stringify(calls[1])).not.toContain('12')
  })

  test('an error that is left at the end keeps what was shown', async () => {
    const rules = rulesOf([digits, contains({ all: ['bye'] })], { retries: 0 })
    const { shown, outcome } = await streamed(rules, [{ chunks: ['Call 12 now', ' or 3.'] }])
    expect(shown.join('')).toBe('Call # now or #.')
    expect(outcome).toMatchObject({ status: 'unresolved', delivered: false, repairs: [{ rule: 'digits' }, { rule: 'digits' }] })
    expect(outcome.text).toBe('Call # now or #.')
  })

  test('a model that fails leaves what was shown, with its certificates', async () => {
    const { shown, outcome } = await streamed(rulesOf([digits], { retries: 0 }), [{ chunks: ['Call 12 now'], failAfter: 1 } as never])
    expect(outcome.text.startsWith(shown.join(''))).toBe(true)
    expect(JSON.stringify(shown)).not.toContain('12')
  })

  test.each<[string, Progress]>([
    ['beyond what is safe', { safe: 1, edits: [edit(0, 'ab')] }],
    ['of other text', { safe: 4, edits: [edit(0, 'zz')] }],
    ['that overlap', { safe: 4, edits: [edit(0, 'ab'), edit(1, 'bc')] }],
    ['of another class', { safe: 4, edits: [{ ...edit(0, 'ab'), class: 'guess' }] }],
  ])('edits %s hold the text to its end', async (_name, progress) => {
    const odd = defineValidator({
      name: 'odd',
      summary: 'For tests.',
      options: z.strictObject({}),
      codes: {},
      instruct: () => '',
      prepare: () => ({
        edits: 'lossy',
        allow: ['lossy', 'guess'],
        optedIn: true,
        *check() {},
        *repair() {},
        incremental: () => ({ push: () => progress as Progress<never> }),
      }),
    })
    const { shown, outcome } = await streamed(rulesOf([odd({})]), [{ chunks: ['abcd', ' efg'] }])
    expect(shown).toEqual(['abcd efg'])
    expect(outcome).toMatchObject({ status: 'valid', repairs: [] })
  })
})

function edit(start: number, before: string): Certificate {
  return { rule: 'odd', class: 'lossy', span: { start, end: start + before.length }, before, after: '' }
}

describe('a retry after text that was redacted on the way', () => {
  const rules = contract({ checks: [{ citations: { sources: 2 } }, { sensitive: { redact: true } }], retries: 1 })
  const start = 'Churn doubled[^1]. Ask jane@acme.org'
  const shown = 'Churn doubled[^1]. Ask [EMAIL]'
  test.each([
    ['repeats the answer', `${start} about pricing[^2], she knows.`, `${shown} about pricing[^2], she knows.`],
    ['repeats what was shown', `${shown} about pricing[^2], she knows.`, `${shown} about pricing[^2], she knows.`],
    ['says something else', 'Churn doubled[^1]. Ask nobody.', undefined],
  ])('that %s', async (_case, second, expected) => {
    for (const chunkSize of [1, 3, 8]) {
      const runner = scripted([
        { text: `${start} about pricing[^9], she knows.`, chunkSize },
        { text: second, chunkSize },
      ])
      let seen = ''
      const stream = enforceStream({ contract: rules, runner, prompt: 'Why?' })
      for await (const piece of stream) seen += piece
      const { status, text } = await stream.outcome
      expect(seen).not.toContain('jane')
      if (expected === undefined) expect(status).toBe('unresolved')
      else expect({ status, text, seen }).toEqual({ status: 'repaired', text: expected, seen: expected })
    }
  })

  test('that repeats an answer with an address near its beginning, however long it is', async () => {
    const rest = Array.from({ length: 30 }, (_, index) => `Point ${index} is as it was before. `).join('')
    const runner = scripted([
      { text: `At a@b.org: ${rest}So[^9].`, chunkSize: 7 },
      { text: `At a@b.org: ${rest}So[^2].`, chunkSize: 7 },
    ])
    const stream = enforceStream({ contract: rules, runner, prompt: 'Why?' })
    for await (const _piece of stream);
    expect(await stream.outcome).toMatchObject({ status: 'repaired', text: `At [EMAIL]: ${rest}So[^2].` })
  })
})
