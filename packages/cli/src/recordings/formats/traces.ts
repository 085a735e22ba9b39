import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, requestFields, shared, unpacked, usageIn } from './free-form.ts'

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

/** The runs of LangSmith; only those of models have an answer. */
export const langsmith: RecordFormat = {
  name: 'langsmith',
  title: 'LangSmith runs',
  keys: 'run_type, and dotted_order or trace_id',
  matches: (record) =>
    typeof record.run_type === 'string' && (typeof record.dotted_order === 'string' || typeof record.trace_id === 'string'),
  *read(record) {
    const { id: given, run_type: type, error, inputs, outputs, extra } = record
    const id = nameIn(given)
    if (type !== 'llm') return yield { id, reason: 'not a generation' }
    if (typeof error === 'string' && error !== '') return yield { id, reason: 'error', detail: error.slice(0, 200) }
    const about = isFields(extra) && isFields(extra.metadata) ? extra.metadata : {}
    yield* shared(isFields(outputs) ? answersOf(outputs) : [{ reason: 'without text' }], {
      id,
      model: nameIn(about.ls_model_name),
      usage: usageIn(record) ?? usageIn(isFields(outputs) ? outputs.usage_metadata : undefined),
      fields: { ...askedFields(flat(inputs)), ...toolsIn(extra) },
    })
  },
}

/** LangChain nests the messages of a call in a list of calls. */
function flat(inputs: unknown): unknown {
  const messages = isFields(inputs) ? inputs.messages : undefined
  return isFields(inputs) && Array.isArray(messages) && Array.isArray(messages[0]) ? { ...inputs, messages: messages[0] } : inputs
}

function toolsIn(extra: unknown): Fields {
  const parameters = isFields(extra) ? extra.invocation_params : undefined
  return isFields(parameters) && Array.isArray(parameters.tools) ? { tools: parameters.tools } : {}
}

function answersOf(outputs: Fields): readonly (Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'>)[] {
  const { generations, output } = outputs
  if (!Array.isArray(generations)) return answersIn(Object.keys(outputs).length === 1 && output !== undefined ? output : outputs)
  const all: readonly unknown[] = generations.flat(1)
  return all.length === 0 ? [{ reason: 'without text' }] : all.map(generationOf)
}

function generationOf(generation: unknown): Pick<Found, 'fields'> | Pick<Missing, 'reason' | 'detail'> {
  if (!isFields(generation)) return { reason: 'unreadable', detail: 'a generation is not an object' }
  const { text, message, generation_info: info } = generation
  const reason = isFields(info) && typeof info.finish_reason === 'string' ? { finish_reason: info.finish_reason } : {}
  if (isFields(message)) return { fields: { message, ...reason } }
  return typeof text === 'string' ? { fields: { text, ...reason } } : { reason: 'without text' }
}

/** The rows of Braintrust's logs and experiments; spans of tools, functions and scores have no answer. */
export const braintrust: RecordFormat = {
  name: 'braintrust',
  title: 'Braintrust logs',
  keys: 'span_id, root_span_id',
  matches: (record) => typeof record.span_id === 'string' && typeof record.root_span_id === 'string',
  *read({ id: given, span_id: span, span_attributes: about, error, input, output, metadata, metrics }) {
    const id = nameIn(given) ?? nameIn(span)
    const type = isFields(about) ? (about.type ?? undefined) : undefined
    if (type !== undefined && type !== 'llm') return yield { id, reason: 'not a generation' }
    if ((error ?? undefined) !== undefined && (output ?? undefined) === undefined)
      return yield { id, reason: 'error', detail: (typeof error === 'string' ? error : JSON.stringify(error)).slice(0, 200) }
    const facts = isFields(metadata) ? metadata : {}
    // The settings of a call are in its metadata, its messages in its input.
    const { messages: _messages, input: _input, prompt: _prompt, ...offered } = requestFields(facts)
    yield* shared(answersIn(output), {
      id,
      model: nameIn(facts.model),
      usage: usageIn(metrics, isFields(metrics) ? metrics.estimated_cost : undefined),
      fields: { ...offered, ...askedFields(input) },
    })
  },
}
