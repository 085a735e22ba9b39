import type { Contract, ContractStats } from '../api/contract-types.ts'
import type { Evaluation, RunningEvaluation } from '../api/evaluation-types.ts'
import type { SessionDetail } from '../api/session-types.ts'
import type { RunRow } from '../api/types.ts'
import { seedNow } from './seed.ts'

const yaml = `checks:
  - sensitive: { redact: true }
  - links
  - max_words: { limit: 60 }
  - step_marker
allow: [lossless, lossy]
retries: 2
`

/** Contracts with rules that repair, stream and only warn. */
export function seedContracts(): readonly Contract[] {
  const policy = {
    mode: 'strict',
    instruct: false,
    retries: 2,
    repair: 'first',
    allow: ['lossless', 'lossy'],
    stream: 'hold',
    timeoutMs: 5000,
    locale: 'en',
  }
  return [
    {
      ...{ name: 'support-answer', policy, yaml },
      instructions: 'Answer in at most 60 words.\nEnd with a STEP marker.\nDo not write e-mail addresses.',
      validators: [
        {
          ...{
            name: 'sensitive',
            summary: 'Finds personal data and secrets.',
            repairs: true,
            incremental: true,
            options: { redact: true, kinds: ['email', 'phone', 'iban'] },
          },
          instruction: 'Do not write e-mail addresses, phone numbers or account numbers.',
          codes: { SENSITIVE: { severity: 'error', when: 'The answer has personal data.' } },
        },
        {
          name: 'links',
          summary: 'Only links to allowed places.',
          repairs: true,
          incremental: true,
          options: {},
          instruction: 'Link only to http and https addresses.',
        },
        {
          name: 'max_words',
          summary: 'The answer has at most so many words.',
          repairs: false,
          incremental: true,
          options: { limit: 60 },
          instruction: 'Answer in at most 60 words.',
        },
        {
          name: 'step_marker',
          summary: 'The answer names its step.',
          repairs: true,
          incremental: false,
          severity: 'warning',
          when: { api: 'chat' },
        },
      ],
    },
    {
      name: 'invoice-json',
      policy: { ...policy, instruct: true },
      instructions: 'Answer with JSON.',
      validators: [
        { name: 'json', summary: 'The answer is JSON.', repairs: true, incremental: true, options: { schema: { type: 'object' } } },
      ],
    },
  ]
}

/** What they caught. */
export function seedContractStats(): readonly ContractStats[] {
  return [
    {
      ...{ contract: 'support-answer', totals: { runs: 1284 }, labelled: { good: 41, bad: 12 } },
      rules: [
        { validator: 'sensitive', code: 'SENSITIVE', runs: 96, fixed: 96, remaining: 0, retries: 0, labelled: { good: 2, bad: 9 } },
        { validator: 'links', code: 'LINK_NOT_ALLOWED', runs: 18, fixed: 17, remaining: 1, retries: 1 },
        { validator: 'max_words', code: 'MAX_WORDS', runs: 141, fixed: 0, remaining: 12, retries: 153, labelled: { good: 5, bad: 3 } },
      ],
      repairs: [
        { rule: 'redact-email', class: 'lossy', count: 121, runs: 96 },
        { rule: 'append-step-marker', class: 'lossless', count: 310, runs: 310 },
        { rule: 'remove-target', class: 'lossy', count: 17, runs: 17 },
      ],
    },
  ]
}

/** Sessions, the last active first. */
export function seedSessions(): readonly SessionDetail[] {
  const at = seedNow - 3_600_000
  return Array.from({ length: 8 }, (_, index) => ({
    session: index === 0 ? 'chat-8812' : `chat-${8811 - index}`,
    firstAt: at - index * 900_000,
    lastAt: at + 1_500_000 - index * 900_000,
    runs: 3 + index,
    statuses: { valid: 2 + index, repaired: 1, ...(index % 3 === 0 ? { unresolved: 1 } : {}) },
    step: 'done',
    status: index === 0 ? 'done' : 'active',
    firstRequest: 'I want to plan a migration of our database.',
    steps: [
      { step: 'what', at },
      { step: 'why', at: at + 240_000 },
      { step: 'constraints', at: at + 600_000 },
      { step: 'generate', at: at + 900_000 },
      { step: 'done', at: at + 1_480_000 },
    ],
    newest: { items: [] },
  }))
}

/** The same with runs. */
export function seedSession(session: SessionDetail, runs: readonly RunRow[]): SessionDetail {
  const steps = ['done', 'generate', 'constraints', 'why', 'what']
  return { ...session, newest: { items: runs.slice(0, 5).map((run, at) => ({ ...run, facts: { step: steps[at] ?? '' } })) } }
}

/** An evaluation with a queue, and one that was killed. */
export function seedRunning(): readonly RunningEvaluation[] {
  const common = { at: 0, name: 'recordings.jsonl', contract: 'brief' }
  return [
    { ...common, id: 'run_1', status: 'running', answers: 120_000, perSecond: 4100, queued: 6400, workers: 3, share: 0.4 },
    { ...common, id: 'run_2', status: 'stopped', answers: 17, perSecond: 0 },
  ]
}

/** A report of an evaluation with a comparison. */
export function seedEvaluation(): Evaluation {
  return {
    ...{
      id: 'eval_mwlo2x_3f1c20aa91',
      at: seedNow - 7_200_000,
      name: 'before the release of 2.4',
      contract: 'support-answer',
      against: 'support-answer@main',
    },
    ...{ answers: 1200, statuses: { valid: 902, repaired: 211, unresolved: 71, unchecked: 16 }, passed: 1113 },
    intervals: { passed: { share: 0.9275, low: 0.9113, high: 0.9409 }, before: { share: 0.901, low: 0.883, high: 0.9168 } },
    rules: [
      { rule: 'max_words/MAX_WORDS', answers: 44, fixed: 0, warnings: 0 },
      { rule: 'sensitive/SENSITIVE', answers: 3, fixed: 98, warnings: 0 },
      { rule: 'links/LINK_NOT_ALLOWED', answers: 12, fixed: 61, warnings: 4 },
    ],
    comparison: {
      ...{ pairs: 1200, changed: 52, better: 41, worse: 9, p: 0.000004 },
      matrix: {
        valid: { valid: 880, repaired: 10, unresolved: 6, unchecked: 0 },
        repaired: { valid: 12, repaired: 160, unresolved: 3, unchecked: 0 },
        unresolved: { valid: 10, repaired: 41, unresolved: 62, unchecked: 0 },
        unchecked: { valid: 0, repaired: 0, unresolved: 0, unchecked: 16 },
      },
    },
    flips: [
      { from: 'unresolved', to: 'repaired', rule: 'links/LINK_NOT_ALLOWED', answers: 41, examples: ['case-17', 'case-203', 'case-411'] },
      { from: 'valid', to: 'unresolved', rule: 'max_words/MAX_WORDS', answers: 6, examples: ['case-88'] },
    ],
    labels: { good: 310, bad: 44, caught: 39, wronglyBlocked: 4, precision: 0.907, recall: 0.886 },
    gates: [
      { gate: 'min-valid', limit: 0.9, observed: 0.9275, passed: true },
      { gate: 'max-new-failures', limit: 5, observed: 9, passed: false },
    ],
    models: [
      { model: 'gpt-5-mini', answers: 800, statuses: { valid: 610, repaired: 140, unresolved: 40, unchecked: 10 } },
      { model: 'llama-3.3-70b', answers: 400, statuses: { valid: 292, repaired: 71, unresolved: 31, unchecked: 6 } },
    ],
    notes: ['not repeatable, so another run may give other verdicts: remote'],
    cases: {
      total: 1200,
      rows: [
        {
          id: 'case-17',
          model: 'gpt-5-mini',
          before: { status: 'unresolved' },
          after: { status: 'repaired', repairs: ['lossy remove-target'] },
          text: 'See [the manual](javascript:x).',
        },
        {
          id: 'case-88',
          model: 'llama-3.3-70b',
          label: 'good',
          before: { status: 'valid' },
          after: { status: 'unresolved', errors: ['max_words/MAX_WORDS'] },
        },
        {
          id: 'case-90',
          model: 'llama-3.3-70b',
          before: { status: 'unresolved' },
          after: { status: 'unresolved', errors: ['max_words/MAX_WORDS'] },
        },
      ],
    },
  }
}
