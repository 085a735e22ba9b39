import { answerFields, type Fields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
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
  ...['upstream', 'upstreamModel'],
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

/** The lines of `check --jsonl`, which the gateway exports too. */
export const sticklerLines: RecordFormat = {
  name: 'stickler',
  title: 'lines of `stickler check --jsonl`',
  keys: 'text, message, response or tool_calls, and only keys of these lines',
  matches: (record) => (hasAnswer(record) || isExported(record)) && Object.keys(record).every((key) => lineKeys().has(key)),
  accepts: (record) => hasAnswer(record) || isExported(record),
  *read(record) {
    const { id, model, usage, label, contract } = record
    if (!hasAnswer(record)) return yield { id: nameIn(id), reason: 'text not kept' }
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
