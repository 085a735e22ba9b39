import { anthropicBatch } from './anthropic-batch.ts'
import { braintrust } from './braintrust.ts'
import { fineTuning } from './fine-tuning.ts'
import type { RecordFormat } from './format.ts'
import { helicone } from './helicone.ts'
import { langfuse } from './langfuse.ts'
import { langsmith } from './langsmith.ts'
import { litellm } from './litellm.ts'
import { batchRequests, openaiBatch } from './openai-batch.ts'
import { openaiEvals } from './openai-evals.ts'
import { otel } from './otel.ts'
import { plain } from './plain.ts'
import { promptfoo } from './promptfoo.ts'
import { responseObjects } from './response-objects.ts'
import { sticklerLines } from './stickler-lines.ts'
import { sticklerRuns } from './stickler-runs.ts'

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
