import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { issue } from '../issue.ts'
import type { Reading } from './machine.ts'
import { prepareMachine } from './machine-run.ts'
import type { CheckContext, StreamContract } from './prepared-validator.ts'

const context: CheckContext = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
const strict: StreamContract = { repairs: false, allow: [], allowNow: [] }

/** Reports what it is given with its first piece. */
const reporting = (report: (reading: Reading<'FOUND'>) => void) =>
  prepareMachine<'FOUND'>((reading) => {
    let isRead = false
    return {
      safe: 0,
      read() {
        if (!isRead) report(reading)
        isRead = true
        this.safe = Number.POSITIVE_INFINITY
      },
    }
  })

describe('many errors', () => {
  const worded = (message: string) => () => issue('FOUND', message, {})
  const prepared = reporting((reading) => {
    for (let index = 0; index < 200; index++) reading.wrong({ start: 100, at: 300 - index / 1000, issue: worded(`late ${index}`), rank: 1 })
    for (let index = 0; index < 200; index++) reading.wrong({ start: 100, at: 400, issue: worded(`warned ${index}`), isWarning: true })
    reading.wrong({ start: 1, at: 2, issue: worded('early'), rank: 1 })
    reading.wrong({ start: 3, at: 4, issue: worded('ranked first'), rank: 0 })
  })

  test('of each rank are reported as they were found', async () => {
    const issues: string[] = []
    for await (const one of prepared.check(new Answer('text'), context)) issues.push('message' in one ? String(one.message) : '')
    expect(issues).toEqual(Array.from({ length: 50 }, (_, index) => `warned ${index}`))
  })

  test('do not hide the one that a stream shows first', () => {
    const run = prepared.incremental?.(context, strict)
    const reader = new AnswerReader()
    reader.push('text')
    expect(run?.push('text', reader)).toMatchObject({ failure: { at: 2, issues: [{ message: 'early' }] } })
  })
})
