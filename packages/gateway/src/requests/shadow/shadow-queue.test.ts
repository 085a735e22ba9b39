import { Answer, contract, defineValidator, issue } from '@stickler/core'
import { systemClock } from '@stickler/core/internal'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { RunRecord, ShadowRecord, ShadowVerdict } from '../../records/run/run-record.ts'
import { sampleRun } from '../../testing/store-fixtures.ts'
import { ShadowQueue } from './shadow-queue.ts'
import type { ShadowJob } from './shadow-verdict.ts'

const codes = { ODD: { severity: 'error', when: 'Always.', fix: 'None.' } } as const

const odd = () => issue('ODD', 'Always.')

/** A contract with one check. */
function judgedBy(check: () => AsyncGenerator<ReturnType<typeof odd>>) {
  const validator = defineValidator({
    name: 'odd',
    summary: 'Odd.',
    options: z.strictObject({}),
    codes,
    instruct: () => '',
    prepare: () => ({ check }),
  })
  return contract({ checks: [validator({})], timeoutMs: 60_000 })
}

class Kept {
  readonly records: ShadowRecord[] = []
  readonly judged: ShadowVerdict[] = []
  dropped = 0
  open = 0
  readonly queue = new ShadowQueue({
    clock: systemClock,
    keep: async (record) => void this.records.push(record),
    judged: (verdict) => void this.judged.push(verdict),
    dropped: () => void this.dropped++,
  })

  add(judge: ReturnType<typeof contract>, text = 'Hi', changes: Partial<RunRecord> = {}, context: ShadowJob['context'] = {}): void {
    const executor = undefined as unknown as ShadowJob['shadow']['executor']
    const shadow = { contractName: 'next', contract: judge, ports: {}, executor }
    const begin = () => {
      this.open++
      return () => void this.open--
    }
    this.queue.add({ record: sampleRun(1, changes), shadow, answer: new Answer(text), context, state: undefined, begin })
  }
}

const forever = () =>
  judgedBy(async function* () {
    await new Promise(() => {})
    yield odd()
  })

describe('ShadowQueue', () => {
  it.each([
    [
      'finds something',
      judgedBy(async function* () {
        yield odd()
      }),
      { status: 'unresolved', codes: 'ODD' },
    ],
    ['finds nothing', judgedBy(async function* () {}), { status: 'valid', codes: '' }],
    [
      'crashes',
      judgedBy(async function* () {
        yield odd()
        throw new Error('boom')
      }),
      { status: 'unchecked', codes: '' },
    ],
    [
      'crashes at once',
      judgedBy((() => {
        throw new TypeError('boom')
      }) as never),
      { status: 'unchecked', codes: '' },
    ],
    [
      'yields what is no issue',
      judgedBy(async function* () {
        yield 'x' as never
      }),
      { status: 'unchecked', codes: '' },
    ],
  ])('records what a contract says that %s', async (_, judge, expected) => {
    const kept = new Kept()
    kept.add(judge)
    await kept.queue.close(1000)
    expect(kept.records).toMatchObject([{ id: 'run-00000001', verdict: { contract: 'next', ...expected } }])
    expect([kept.open, kept.dropped]).toEqual([0, 0])
  })

  it('drops what is too much, by number and by length, and leaves nothing behind when it is closed', async () => {
    const kept = new Kept()
    for (let count = 0; count < 100; count++) kept.add(forever())
    expect(kept.dropped).toBe(36)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const long = new Kept()
    for (let count = 0; count < 10; count++) long.add(forever(), 'x'.repeat(1024 * 1024))
    // The rest of each record counts, too.
    expect(long.dropped).toBe(3)
    const asked = new Kept()
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'x'.repeat(1024 * 1024) }] }]
    for (let count = 0; count < 10; count++) asked.add(forever(), 'Hi', {}, { prompt })
    expect(asked.dropped).toBe(3)
    await Promise.all([kept.queue.close(50), long.queue.close(0), asked.queue.close(0)])
    expect([kept.open, long.open, asked.open]).toEqual([0, 0, 0])
    kept.add(forever())
    expect(kept.open).toBe(0)
  })

  it('goes on after a record that cannot be stored', async () => {
    let count = 0
    const ends: string[] = []
    const queue = new ShadowQueue({
      clock: systemClock,
      keep: async () => {
        if (count++ === 0) throw new Error('disk full')
        ends.push('kept')
      },
      judged: () => {},
      dropped: () => {},
    })
    const other = new Kept()
    Object.defineProperty(other, 'queue', { value: queue })
    for (let index = 0; index < 5; index++) other.add(judgedBy(async function* () {}))
    await queue.close(1000)
    expect(ends).toHaveLength(4)
    expect(other.open).toBe(0)
  })

  it.each<[string, Partial<RunRecord>, Partial<ShadowVerdict>]>([
    [
      'a retry',
      { status: 'valid', attempts: [attempt('LOOP', 'retry'), attempt('', 'deliver')] },
      { liveStatus: 'unresolved', liveCodes: 'LOOP' },
    ],
    ['a return to it', { status: 'repaired', attempts: [attempt('LOOP', 'deliver'), attempt('', 'retry')] }, { liveStatus: 'unresolved' }],
    ['one attempt', { status: 'repaired', attempts: [attempt('ODD', 'repair')] }, { liveStatus: 'repaired', codes: '', liveCodes: '' }],
    ['words in place of a code', { attempts: [attempt('a <b>text</b>, of a model', 'deliver')] }, { liveCodes: 'OTHER' }],
  ])('compares with what became of the first answer: %s', async (_, changes, expected) => {
    const kept = new Kept()
    kept.add(
      judgedBy(async function* () {
        yield odd()
      }),
      'Hi',
      changes,
    )
    await kept.queue.close(1000)
    expect(kept.judged).toMatchObject([expected])
  })
})

function attempt(code: string, decision: string): RunRecord['attempts'][number] {
  const issues = code === '' ? [] : [{ validator: 'v', code, severity: 'error' as const, message: 'm' }]
  return { number: 1, call: 'run', ms: 1, issues, decision }
}
