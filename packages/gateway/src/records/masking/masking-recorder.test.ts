import type { AuditRow as AskAuditRow } from '@stickler/presets/internal'
import { expect, test } from 'vitest'
import { runRecord } from '../../testing/memory-queries.ts'
import { maskingRecorder } from '../open-records.ts'
import type { RunRecord } from '../run/run-record.ts'

test('secrets that a model or a client has said are not kept', async () => {
  const kept: RunRecord[] = []
  const recorder = maskingRecorder({ run: async (record) => void kept.push(record), audit: async () => {} }, () => ['sk-upstream-secret'])
  const said = 'the key is sk-upstream-secret, they say'
  const attempts = [{ number: 1, call: 'run' as const, ms: 1, issues: [], text: said, feedback: said }]
  await recorder.run({ ...runRecord('run-1'), text: said, request: said, attempts })
  expect(JSON.stringify(kept)).not.toContain('sk-upstream')
  expect(kept[0]).toMatchObject({ text: 'the key is [redacted], they say', attempts: [{ text: expect.stringContaining('[redacted]') }] })
})

test('secrets are not kept in issues, repairs and failures either, whether texts are kept or not', async () => {
  const kept: RunRecord[] = []
  const recorder = maskingRecorder({ run: async (record) => void kept.push(record), audit: async () => {} }, () => ['sk-upstream-secret'])
  const issue = {
    code: 'C',
    severity: 'error',
    validator: 'v',
    message: 'not sk-upstream-secret',
    path: ['sk-upstream-secret', 0],
  } as const
  const span = { start: 0, end: 1 }
  const repair = { rule: 'r', class: 'lossless', span, before: 'sk-upstream-secret', after: '' } as const
  const attempts = [{ number: 1, call: 'run' as const, ms: 1.5, issues: [issue] }]
  const failure = { kind: 'http', message: 'wrong key sk-upstream-secret', status: 401 }
  await recorder.run({ ...runRecord('run-1'), issues: [issue], fixed: [issue], repairs: [repair], attempts, failure })
  expect(JSON.stringify(kept)).not.toContain('sk-upstream')
  expect(kept[0]).toMatchObject({ id: 'run-1', issues: [{ message: 'not [redacted]', path: ['[redacted]', 0] }], attempts: [{ ms: 1.5 }] })
  expect(kept[0]).toMatchObject({ repairs: [{ span, before: '[redacted]' }], failure: { status: 401 } })
})

test('a record without texts passes as it is', async () => {
  const kept: RunRecord[] = []
  const record = runRecord('run-2')
  await maskingRecorder({ run: async (one) => void kept.push(one), audit: async () => {} }, () => ['secret']).run(record)
  expect(kept[0]).toBe(record)
})

test('the words of an audit row are masked, its names are not', async () => {
  const kept: unknown[] = []
  const recorder = maskingRecorder({ run: async () => {}, audit: async (row) => void kept.push(row) }, () => ['sk-upstream-secret'])
  await recorder.audit({ tenant: 'sk-upstream-secret', answer: 'It is sk-upstream-secret.', question: null, ts: 1 })
  expect(kept).toEqual([{ tenant: 'sk-upstream-secret', answer: 'It is [redacted].', question: null, ts: 1 }])
})

test('every text of an audit row is masked but the names that the client chose', async () => {
  const said = 'they say sk-upstream-secret'
  // Complete by its type: a new member must be added here.
  const row: Required<AskAuditRow> = {
    answer: said,
    answer_hash: said,
    cache_hit: false,
    citations: [1],
    completion_tokens: 1,
    cost_usd: 0.5,
    cut: { answer_bytes: 1, sources_hash: said },
    errors: [{ kind: 'malformed', detail: said }],
    failure: { kind: said, detail: said },
    limit: null,
    mode: 'strict',
    model: said,
    pipeline: {
      ...{ context_relevant: null, nodes: ['classify'], reformulations: 0, relevance_score: null, type: null },
      validation_status: said,
    },
    prompt_tokens: 1,
    provider: said,
    question: said,
    question_hash: said,
    retry_count: 0,
    role: said,
    seed: said,
    sources_urns: [said],
    status: 'failed',
    temperature: 0,
    tenant: said,
    ts: 1,
    upstream: said,
    user: said,
    validation_ok: null,
  }
  const kept: Readonly<Record<string, unknown>>[] = []
  const recorder = maskingRecorder({ run: async () => {}, audit: async (one) => void kept.push(one) }, () => ['sk-upstream-secret'])
  await recorder.audit({ ...row })
  const unmasked = Object.entries(kept[0] ?? {}).filter(([, member]) => JSON.stringify(member).includes('sk-upstream'))
  expect(unmasked.map(([name]) => name)).toEqual(['model', 'role', 'sources_urns', 'tenant', 'user'])
  expect(kept[0]).toMatchObject({ errors: [{ kind: 'malformed', detail: 'they say [redacted]' }], citations: [1], cost_usd: 0.5 })
  expect(Object.keys(kept[0] ?? {})).toEqual(Object.keys(row))
})

test('names that a client chose are kept as sent, and the list of secrets may change', async () => {
  const kept: RunRecord[] = []
  let secrets = ['first-secret-1']
  const recorder = maskingRecorder({ run: async (record) => void kept.push(record), audit: async () => {} }, () => secrets)
  const record = { ...runRecord('run-1'), session: 'first-secret-1', model: 'first-secret-1', requestId: 'first-secret-1' }
  await recorder.run({ ...record, text: 'first-secret-1 second-secret-2' })
  secrets = [...secrets, 'second-secret-2']
  await recorder.run({ ...record, text: 'first-secret-1 second-secret-2' })
  expect(kept.map(({ text }) => text)).toEqual(['[redacted] second-secret-2', '[redacted] [redacted]'])
  expect(kept[1]).toMatchObject({ session: 'first-secret-1', model: 'first-secret-1', requestId: 'first-secret-1' })
})

test('every text of a run is masked but those that are listed, whatever it is called', async () => {
  const said = 'they say sk-upstream-secret'
  const issue: Required<RunRecord['issues'][number]> = {
    ...{ code: said, severity: 'error', validator: said, message: said, hint: said, path: [said], span: { start: 0, end: 1 } },
    suggestion: said,
  }
  // Complete by its type: a new member must be added here.
  const attempt: Required<RunRecord['attempts'][number]> = {
    ...{ number: 1, call: 'run', ms: 1, finishReason: said, usage: { promptTokens: 1, completionTokens: 1 }, issues: [issue] },
    ...{ stoppedAt: 1, decision: said, failure: said, resumption: 'resumed', stderr: said, text: said, feedback: said },
    masked: true,
    toolCalls: [{ name: said, arguments: said }],
  }
  const record: Required<RunRecord> = {
    ...{ id: said, requestId: said, choice: 0, session: said, at: 1, ms: 1, firstTextMs: 1, api: 'chat', stream: false, model: 'other' },
    ...{ upstream: said, upstreamModel: said, contract: said, key: said, status: 'valid', reason: said, httpStatus: 200 },
    ...{ attempts: [attempt], issues: [issue], fixed: [issue], unchecked: [{ validator: said, cause: 'crash', message: said }] },
    repairs: [{ rule: said, class: 'lossless', span: { start: 0, end: 1 }, before: said, after: said }],
    usage: { promptTokens: 1, completionTokens: 1 },
    pipeline: [{ node: 'retrieve', ms: 1, query: said, chunks: [{ urn: said, score: 1 }], degraded: said }],
    ...{ facts: { step: said }, request: said, failure: { kind: said, message: said, status: 1 }, delivered: true, text: said },
    ...{ fallback: true, skipped: said, addedMs: 1, prompt: [{ role: said, text: said }], timeline: said },
    toolCalls: [{ name: said, arguments: said }],
    context: { deliver: said, tools: [said] },
    shadow: { contract: said, status: 'valid', liveStatus: said, codes: said, liveCodes: said },
  }
  const kept: RunRecord[] = []
  const recorder = maskingRecorder({ run: async (one) => void kept.push(one), audit: async () => {} }, () => ['sk-upstream-secret'])
  await recorder.run({ ...record, ...{ added: { later: [said] } } })
  const unmasked = Object.entries(kept[0] ?? {}).filter(([, member]) => JSON.stringify(member).includes('sk-upstream'))
  expect(unmasked.map(([name]) => name)).toEqual(['id', 'requestId', 'session', 'upstream', 'contract', 'key'])
  expect(kept[0]).toMatchObject({ upstreamModel: 'they say [redacted]', attempts: [{ finishReason: 'they say [redacted]', ms: 1 }] })
})

test('a model that is only repeated is a name of the client', async () => {
  const kept: RunRecord[] = []
  const recorder = maskingRecorder({ run: async (one) => void kept.push(one), audit: async () => {} }, () => ['first-secret-1'])
  const record = runRecord('run-1', { model: 'first-secret-1', upstreamModel: 'first-secret-1', text: 'first-secret-1' })
  await recorder.run(record)
  expect(kept[0]).toEqual({ ...record, text: '[redacted]' })
})
