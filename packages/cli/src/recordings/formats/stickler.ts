import { answerFields, type Fields, isFields, keptCallFields, notKept } from '@stickler/core/internal'
import type { Reason } from '../recording.ts'
import type { Found, Missing, RecordFormat } from './format.ts'
import { labelIn, nameIn, usageIn } from './free-form.ts'

/** Overrides of the contract in a line of `check --jsonl`. */
export const overrideKeys = ['checks', 'repair', 'allow', 'root'] as const

/** The keys under which a line has its answer. */
const answerKeys = ['text', 'tool_calls', 'function_call', 'tool_execution_history', 'final_response', 'message', 'response']
/** What a line may tell about its answer. */
const besideKeys = [
  ...['id', 'model', 'contract', 'label', 'usage', 'metadata', 'session', 'note', 'final_response'],
  // Results and exported runs have these too.
  ...['status', 'codes', 'issues', 'fixed', 'warnings', 'repairs', 'unchecked', 'attempts', 'reason', 'at', 'ms', 'api', 'stream', 'key'],
  ...['upstream', 'upstreamModel', 'missing'],
]

let known: ReadonlySet<string> | undefined

function lineKeys(): ReadonlySet<string> {
  known ??= new Set([...answerFields(), ...overrideKeys, ...besideKeys])
  return known
}

const hasAnswer = (record: Fields): boolean => answerKeys.some((key) => (record[key] ?? undefined) !== undefined)

/** Whether a line is a run that the gateway exported, perhaps without its text. */
function isExported({ at, api, contract, attempts }: Fields): boolean {
  return typeof at === 'number' && typeof api === 'string' && typeof contract === 'string' && attempts !== undefined
}

/** What an exported run may say of an answer that must not be judged. */
const toldReasons: readonly Reason[] = ['error', 'tool calls not kept', 'text not kept', 'secrets hidden', 'request not kept']

/** Why a line has no answer; undefined when it has one. Versions before told less in exported runs. */
function missingIn(record: Fields): Reason | undefined {
  const { missing, status, text, tool_calls: toolCalls, finish_reason: finishReason, message, response } = record
  if (!isExported(record)) return hasAnswer(record) ? undefined : 'text not kept'
  const told = toldReasons.find((reason) => reason === missing)
  if (told !== undefined || (message ?? response ?? undefined) !== undefined) return told
  if (status === 'failed' && (text ?? '') === '' && !Array.isArray(toolCalls)) return 'error'
  return notKept({ text: hasAnswer(record) ? (text ?? '') : undefined, finishReason, toolCalls, context: {} })
}

/** The lines of `check --jsonl`, which the gateway exports too. */
export const sticklerLines: RecordFormat = {
  name: 'stickler',
  title: 'lines of `stickler check --jsonl`',
  keys: 'text, message, response or tool_calls, and only keys of these lines',
  matches: (record) => (hasAnswer(record) || isExported(record)) && Object.keys(record).every((key) => lineKeys().has(key)),
  accepts: (record) => hasAnswer(record) || isExported(record),
  *read(record) {
    const { id, model, usage, label, contract } = record
    const reason = missingIn(record)
    if (reason !== undefined) return yield { id: nameIn(id), reason }
    yield {
      id: nameIn(id),
      fields: record,
      model: nameIn(model),
      usage: usageIn(usage, typeof usage === 'object' ? (usage as Fields | null)?.cost : undefined),
      label: labelIn(label),
      contract: nameIn(contract),
    }
  },
}

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
