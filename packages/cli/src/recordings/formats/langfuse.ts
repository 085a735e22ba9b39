import { type Fields, isFields } from '@stickler/core/internal'
import type { RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, shared, unpacked, usageIn } from './free-form.ts'

/** The columns of exports to blob storage, by those of the API. */
const exported: Readonly<Record<string, string>> = {
  traceId: 'trace_id',
  startTime: 'start_time',
  model: 'provided_model_name',
  usageDetails: 'usage_details',
  costDetails: 'cost_details',
  statusMessage: 'status_message',
}

const isTable = (record: Fields): boolean =>
  typeof record.trace_id === 'string' && record.start_time !== undefined && Object.hasOwn(record, 'provided_model_name')

/** The observations of Langfuse; only generations have an answer. */
export const langfuse: RecordFormat = {
  name: 'langfuse',
  title: 'Langfuse observations',
  keys: 'traceId, type, startTime; or trace_id, type, start_time, provided_model_name',
  matches: (record) =>
    typeof record.type === 'string' &&
    /^[A-Z_]+$/.test(record.type) &&
    ((typeof record.traceId === 'string' && record.startTime !== undefined) || isTable(record)),
  *read(record) {
    const at = (key: string): unknown => record[key] ?? record[exported[key] ?? key]
    const id = nameIn(record.id)
    if (record.type !== 'GENERATION') return yield { id, reason: 'not a generation' }
    // A column of a table is text; messages in it are JSON.
    const output = isTable(record) ? messageIn(record.output) : record.output
    const input = isTable(record) ? unpacked(record.input) : record.input
    if (record.level === 'ERROR' && (output ?? undefined) === undefined)
      return yield { id, reason: 'error', detail: String(at('statusMessage') ?? '').slice(0, 200) }
    const costs = unpacked(at('costDetails'))
    yield* shared(answersIn(output), {
      id,
      model: nameIn(at('model')),
      usage: usageIn(unpacked(at('usageDetails')), isFields(costs) ? costs.total : record.calculatedTotalCost) ?? usageIn(record.usage),
      fields: askedFields(input),
    })
  },
}

/** A message or a response that was written as text; an answer that is JSON itself stays text. */
function messageIn(output: unknown): unknown {
  const read = unpacked(output)
  const known = isFields(read) && (read.role === 'assistant' || Array.isArray(read.choices))
  return known ? read : output
}
