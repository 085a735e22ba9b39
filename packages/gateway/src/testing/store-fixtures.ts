import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Issue, Usage } from '@stickler/core'
import type { RunRecord } from '../records/run/run-record.ts'

/** When the first sample run took place. */
export const sampleTime = 1_700_000_000_000

/** An issue with everything that an issue can have. */
export const fullIssue: Issue = {
  code: 'MAX_WORDS',
  severity: 'error',
  validator: 'max_words',
  message: 'Cut the answer to at most 10 words; it has 12.',
  hint: 'Leave out the greeting.',
  span: { start: 3, end: 9 },
  path: ['steps', 0],
  suggestion: 'ten words',
}

/** The simplest run with a number; later numbers are later runs. */
export function sampleRun(number: number, changes: Partial<RunRecord> = {}): RunRecord {
  return {
    id: `run-${String(number).padStart(8, '0')}`,
    requestId: `request-${number}`,
    choice: 0,
    at: sampleTime + number * 1000,
    ms: 10 + number,
    api: 'chat',
    stream: false,
    model: 'small',
    upstream: 'main',
    upstreamModel: 'small-2026',
    contract: 'default',
    key: '',
    status: 'valid',
    reason: 'valid',
    httpStatus: 200,
    attempts: [{ number: 1, call: 'run', ms: 9.5, issues: [] }],
    issues: [],
    fixed: [],
    repairs: [],
    unchecked: [],
    usage: { promptTokens: 100, completionTokens: 20 },
    ...changes,
  }
}

/** A run with everything that the first version kept of a run. */
export function fullRun(number: number): RunRecord {
  const usage = { promptTokens: 50, completionTokens: 10, cost: 0.25 }
  return sampleRun(number, {
    session: 'session-1',
    firstTextMs: 4.25,
    stream: true,
    key: 'team-a',
    status: 'unresolved',
    reason: 'attempts',
    httpStatus: 422,
    attempts: [
      {
        number: 1,
        call: 'run',
        ms: 5,
        finishReason: 'stop',
        usage,
        issues: [fullIssue],
        decision: 'retry',
        text: 'eins',
        feedback: 'kürzer 😀',
      },
      { number: 2, call: 'continue', ms: 6, issues: [fullIssue, { ...fullIssue, severity: 'warning' }], stoppedAt: 17, text: 'zwei' },
    ],
    issues: [fullIssue],
    fixed: [{ code: 'STEP', severity: 'warning', validator: 'step_marker', message: 'Number the steps.' }],
    repairs: [{ rule: 'trim', class: 'lossless', span: { start: 0, end: 1 }, before: ' ', after: '', path: ['a', 1] }],
    unchecked: [{ validator: 'files', cause: 'timeout', message: 'took too long' }],
    usage: { promptTokens: 100, completionTokens: 20, cost: 0.5 },
    failure: { kind: 'http', message: 'bad gateway', status: 502 },
    text: 'zwei',
  })
}

/** A run with everything that a run can have: the type names what is missing. */
export function wholeRun(number: number): Required<RunRecord> & { readonly usage: Required<Usage> } {
  const run = fullRun(number) as Required<RunRecord>
  const usage: Required<Usage> = { promptTokens: 100, completionTokens: 20, cost: 0.5, estimated: true }
  const [first, second] = run.attempts
  return {
    ...run,
    attempts: [
      { ...first, usage, failure: 'timeout', resumption: 'forgotten', stderr: 'out of memory' },
      {
        ...second,
        usage: { promptTokens: 1, completionTokens: 2 },
        toolCalls: [{ name: 'send \u{1f600}', arguments: '{"to": "\\u0041"' }],
      },
    ] as RunRecord['attempts'],
    usage,
    facts: { step: '2' },
    addedMs: 1.5,
    request: 'what?',
    prompt: [{ role: 'user', text: 'what?' }],
    timeline: '4:1:2 9:4',
    toolCalls: [{ name: 'send', arguments: '{"to": "Anna"}', cut: 90, more: 2 }],
    delivered: false,
    pipeline: [{ node: 'classify', ms: 1, type: { is: 'RETRIEVAL', by: 'rule' } }],
  }
}

/** A folder that is removed when the test ends. */
export function temporaryFolder(onEnd: (remove: () => void) => void): string {
  const folder = mkdtempSync(join(tmpdir(), 'stickler-store-'))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
