import { type Fields, isFields, keptCallFields, notKept } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { labelIn, nameIn, usageIn } from './free-form.ts'

const isRun = (record: Fields): boolean =>
  typeof record.requestId === 'string' &&
  typeof record.choice === 'number' &&
  typeof record.contract === 'string' &&
  record.attempts !== undefined

/** The runs of a gateway, as `stickler runs --json` prints them. */
export const sticklerRuns: RecordFormat = {
  name: 'stickler-runs',
  title: '`stickler runs --json`, with or without an id',
  keys: 'requestId, choice, contract, attempts; or items with them',
  matches: (record) =>
    isRun(record) ||
    (Array.isArray(record.items) && record.items.length > 0 && record.items.every((item) => isFields(item) && isRun(item))),
  *read(record) {
    if (isRun(record)) return yield readRun(record)
    for (const run of record.items as readonly Fields[]) yield readRun(run)
  },
}

/** A run with what the model wrote last; its own text may have been repaired. */
function readRun(run: Fields): Found | Missing {
  const id = nameIn(run.id)
  const attempts: readonly unknown[] = Array.isArray(run.attempts) ? run.attempts : []
  const last = attempts.findLast((attempt): attempt is Fields => isFields(attempt) && typeof attempt.text === 'string')
  const { text, toolCalls, finishReason, masked } = last ?? run
  const isEmpty = (text ?? '') === '' && (toolCalls ?? undefined) === undefined
  if (run.failure !== undefined && isEmpty) return { id, reason: 'error', detail: failureOf(run.failure) }
  const { context } = run
  const reason = notKept({ text, toolCalls, finishReason, masked, context })
  if (reason !== undefined) return { id, reason }
  return {
    id,
    model: nameIn(run.model),
    contract: nameIn(run.contract),
    label: labelIn(isFields(run.label) ? run.label.label : run.label),
    usage: usageIn(run.usage, isFields(run.usage) ? run.usage.cost : undefined),
    fields: {
      text,
      ...keptCallFields(Array.isArray(toolCalls) ? toolCalls : undefined, isFields(context) ? context : undefined),
      ...(typeof finishReason === 'string' ? { finish_reason: finishReason } : {}),
      ...(typeof run.request === 'string' ? { prompt: run.request, question: run.request } : {}),
    },
  }
}

function failureOf(failure: unknown): string {
  const { kind, message } = isFields(failure) ? failure : {}
  return `${String(kind)}: ${String(message)}`.slice(0, 200)
}
