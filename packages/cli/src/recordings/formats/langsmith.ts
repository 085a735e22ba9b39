import { type Fields, isFields } from '@stickler/core/internal'
import type { Found, Missing, RecordFormat } from './format.ts'
import { answersIn, askedFields, nameIn, shared, usageIn } from './free-form.ts'

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
