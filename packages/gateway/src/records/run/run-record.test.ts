import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Certificate, Issue, Unchecked } from '@stickler/core'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { listedRunSchema, runSchema } from '../../admin/api/run-descriptions.ts'
import { temporaryFolder } from '../../testing/store-fixtures.ts'
import { entryOfRun, readLine } from '../store/journal/line.ts'
import { openStore } from '../store/open-store.ts'
import { readRun } from '../store/rows/read-run.ts'
import { isGroup, isList } from './run-columns.ts'
import { attemptMembers, type Column, type Group, type Kind, type List, type Members, type RunRecord, runMembers } from './run-record.ts'
import { countsOf } from './stored-record.ts'

// Columns of text have neither NUL nor halves of characters.
const word = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\0', ''))
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => one + 0)
/** What somebody has worded, which a word of its own shows. */
const said = word.map((one) => `canary ${one}`)
const span = fc.record({ start: fc.nat(), end: fc.nat() })
const path = fc.array(fc.oneof(said, fc.nat()), { maxLength: 3 })
const issue: fc.Arbitrary<Issue> = fc.record(
  { code: word, severity: fc.constantFrom('error', 'warning'), validator: word, message: said, hint: said, span, path, suggestion: said },
  { requiredKeys: ['code', 'severity', 'validator', 'message'] },
)
const repair: fc.Arbitrary<Certificate> = fc.record(
  { rule: word, class: fc.constantFrom('lossless', 'lossy', 'guess'), span, before: said, after: said, path },
  { requiredKeys: ['rule', 'class', 'span', 'before', 'after'] },
)
const unchecked: fc.Arbitrary<Unchecked> = fc.record({ validator: word, cause: fc.constantFrom('timeout', 'crash'), message: said })
const node: fc.Arbitrary<NodeTrace> = fc.record({ node: fc.constantFrom('retrieve', 'generate'), ms: number, query: said })

const kinds: Readonly<Record<Exclude<Kind, 'json'>, fc.Arbitrary<unknown>>> = {
  name: word,
  sentence: said,
  text: said,
  whole: fc.maxSafeInteger(),
  real: number,
  flag: fc.boolean(),
  mark: fc.constant(true),
  // Names of facts are declared by presets.
  names: fc.dictionary(
    word.filter((one) => one !== '__proto__'),
    word,
    { maxKeys: 3, noNullPrototype: true },
  ),
}

/** What no kind says: items of lists and what is JSON. */
const inside: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  issues: fc.array(issue, { maxLength: 3 }),
  fixed: fc.array(issue, { maxLength: 3 }),
  repairs: fc.array(repair, { maxLength: 3 }),
  unchecked: fc.array(unchecked, { maxLength: 2 }),
  pipeline: fc.array(node, { maxLength: 2 }),
  toolCalls: fc.array(fc.record({ name: word, arguments: said, cut: fc.nat(), more: fc.nat() }, { requiredKeys: ['name', 'arguments'] }), {
    maxLength: 2,
  }),
  prompt: fc.array(fc.record({ role: word, text: said }), { maxLength: 2 }),
  context: fc.record({ deliver: word, tools: fc.array(fc.record({ said }), { maxLength: 2 }) }),
}

function memberOf(key: string, member: Column | Group | List, isFull: boolean): fc.Arbitrary<unknown> {
  if (key === 'attempts') return fc.array(objectOf(attemptMembers, isFull), { maxLength: 3 })
  if (isGroup(member)) return objectOf(member.parts, isFull)
  if (isList(member) || member.kind === 'json') return inside[key] ?? fc.array(fc.record({ said }), { maxLength: 2 })
  return member.values ? fc.constantFrom(...member.values) : kinds[member.kind]
}

/** An object as its table describes it: with everything, or with only some of what may be absent. */
function objectOf(members: Members, isFull: boolean): fc.Arbitrary<object> {
  const entries = Object.entries(members)
  const required = entries.filter(([, member]) => isFull || isList(member) || !member.optional).map(([key]) => key)
  return fc.record(Object.fromEntries(entries.map(([key, member]) => [key, memberOf(key, member, isFull)])), { requiredKeys: required })
}

/** Runs made from the table, so that what is added to it is tested. */
const run = fc.oneof(objectOf(runMembers, true), objectOf(runMembers, false)) as unknown as fc.Arbitrary<RunRecord>

/** A run as it is read: with the number of its parts. */
const kept = (record: RunRecord) => ({ ...record, counts: countsOf(record) })

function summaryOf(record: RunRecord): object {
  const shown = Object.entries(record).filter(([key]) => !('isDetail' in runMembers[key as keyof RunRecord]))
  return { ...Object.fromEntries(shown), ...countsOf(record) }
}

test('the line of a run has all of it, and is read as the rows that the run has, also one of an earlier version', () => {
  const policy = { keepText: true, keepAuditText: true }
  fc.assert(
    fc.property(run, (one) => {
      const record = { ...one, id: 'one' }
      const entry = entryOfRun(record, policy)
      const line = JSON.stringify(entry)
      const { runs: [row = {}] = [], issues = [], repairs = [] } = JSON.parse(line) as typeof entry
      expect(readRun(row, issues, repairs)).toEqual(kept(record))
      const earlier = JSON.stringify({ run: kept(record) })
      expect([readLine(line), readLine(line, policy), readLine(earlier, policy)]).toEqual([entry, entry, entry])
    }),
  )
})

test('without texts nothing stays that somebody has worded, whoever wrote the line', () => {
  fc.assert(
    fc.property(run, (one) => {
      const record = { ...one, id: 'one' }
      const policy = { keepText: false, keepAuditText: false }
      const lines = [entryOfRun(record, { keepText: true }), { run: record }].map((line) => JSON.stringify(line))
      const all = [entryOfRun(record, policy), ...lines.map((line) => readLine(line, policy))]
      expect(all).not.toContain(undefined)
      expect(JSON.stringify(all)).not.toContain('canary')
    }),
  )
})

test('a run comes back from the database as it was, in full and in lists, and is what its schema describes', async () => {
  requireBuilt(['core', 'gateway'])
  const folder = temporaryFolder((remove) => onTestFinished(remove))
  const store = await openStore({ url: `sqlite:${folder}/state.db`, folder, keepText: true, now: Date.now, batchMs: 1 })
  onTestFinished(() => store.close())
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(run, { minLength: 10, maxLength: 10 }), async (some) => {
      const records = some.map((one) => ({ ...one, id: `run-${++count}`, contract: `c${count}` }))
      for (const record of records) await store.recorder.run(record)
      expect(await store.flush()).toBe(true)
      for (const record of records) {
        const read = await store.getRun(record.id)
        expect(read).toEqual(kept(record))
        expect(runSchema.parse(read)).toEqual(read)
        expect(Object.keys(runSchema.shape)).toEqual(expect.arrayContaining(Object.keys(read ?? {})))
        const [listed] = (await store.listRuns({ contract: record.contract })).runs
        expect(listed).toMatchObject(summaryOf(record))
        expect(listedRunSchema.parse(listed)).toEqual(listed)
      }
    }),
    { numRuns: 10 },
  )
})
