import { anthropicBatch, batchRequests, openaiBatch } from './batches.ts'
import { fineTuning, openaiEvals, plain } from './examples.ts'
import type { RecordFormat } from './format.ts'
import { otel } from './otel.ts'
import { promptfoo } from './promptfoo.ts'
import { helicone, litellm } from './proxies.ts'
import { responseObjects } from './response-objects.ts'
import { sticklerLines, sticklerRuns } from './stickler.ts'
import { braintrust, langfuse, langsmith } from './traces.ts'

/** Every format, in the order of the docs; a record of two of them is an error. */
export const recordFormats: readonly RecordFormat[] = [
  sticklerLines,
  sticklerRuns,
  openaiBatch,
  responseObjects,
  fineTuning,
  openaiEvals,
  anthropicBatch,
  langfuse,
  langsmith,
  helicone,
  promptfoo,
  litellm,
  otel,
  braintrust,
  plain,
  batchRequests,
]
