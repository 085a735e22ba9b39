import { type FinishKind, finishWords } from './finish-reason-table.ts'
import { type Fields, isFields } from './tool-shapes/fields.ts'

/** A provider that ended an answer without a finish reason: `unexpected` from one that always sends it, `usual` from the others. */
export type FinishMissing = 'unexpected' | 'usual'

/** Longer words are never finish reasons. */
const longestWord = 64

const kinds: ReadonlyMap<string, FinishKind> = new Map(Object.values(finishWords).flatMap((words) => Object.entries(words)))

/** Providers that send a finish reason with every answer. */
const talkative: ReadonlySet<string> = new Set(
  (
    'openai azure anthropic groq openrouter mistral deepseek together fireworks perplexity xai cohere gemini google bedrock ' +
    'moonshot zhipu venice vllm sglang ollama'
  ).split(' '),
)

/** What a provider's finish reason means, in any spelling; undefined for an unknown one. */
export function finishKindOf(reason: string): FinishKind | undefined {
  return kinds.get(reason) ?? (reason.length > longestWord ? undefined : kindOfSpelling(reason))
}

/** Whether an answer stopped before its end, or was withheld. */
export function isCutShort(reason: string | undefined): boolean {
  if (reason === undefined) return false
  const kind = finishKindOf(reason)
  return kind !== undefined && !endsTurn(kind)
}

/** Whether it is known that a turn ended as the model meant: without a finish reason, or with an unknown one, it may have been cut off. */
export function hasEnded(reason: string | undefined): boolean {
  const kind = reason === undefined ? undefined : finishKindOf(reason)
  return kind !== undefined && endsTurn(kind)
}

/** Whether a turn ended as the model meant, with an answer or before one. */
export function endsTurn(kind: FinishKind): kind is 'complete' | 'calls' | 'paused' {
  return kind === 'complete' || kind === 'calls' || kind === 'paused'
}

/** Whether a provider always says why an answer ended, by its name. */
export function alwaysTellsFinish(provider: string): boolean {
  return talkative.has(provider.toLowerCase())
}

/** The word in a field of a provider's answer; undefined while there is none. */
export function readFinishReason(reason: unknown): string | undefined {
  // Some write null as a word while the answer goes on.
  return typeof reason === 'string' && reason.trim() !== '' && reason !== 'null' ? reason : undefined
}

/** Words that say that an answer goes on: a later one takes them back. */
const unfinished: ReadonlySet<string> = new Set(['not_finished', 'in_progress', 'queued'])

const badness: Readonly<Record<FinishKind, number>> = {
  complete: 0,
  calls: 0,
  paused: 0,
  interrupted: 1,
  length: 1,
  refusal: 2,
  filter: 2,
  error: 3,
}

/** The word that counts when a stream has several: the last one, but what was cut off or withheld stays so. */
export function worseFinish(before: string | undefined, next: string | undefined): string | undefined {
  if (before === undefined || next === undefined) return next ?? before
  return badnessOf(next) >= badnessOf(before) ? next : before
}

/** The word for the end in a message of any kind: of an API, the AI SDK or LangChain; undefined when it has none. */
export function finishReasonIn(message: Fields): string | undefined {
  const { response_metadata: metadata, additional_kwargs: kwargs, incomplete_details: details, status } = message
  // LangChain has it among the others when Anthropic streams.
  for (const holder of [message, metadata, kwargs]) {
    if (!isFields(holder)) continue
    for (const name of ['finish_reason', 'stop_reason', 'finishReason', 'stopReason', 'done_reason']) {
      const found = readFinishReason(holder[name])
      if (found !== undefined) return found
    }
  }
  const reason = isFields(details) ? readFinishReason(details.reason) : undefined
  // Other messages have a status too, with another meaning.
  return reason ?? (typeof status === 'string' && Object.hasOwn(finishWords.responses, status) ? status : undefined)
}

function kindOfSpelling(reason: string): FinishKind | undefined {
  const word = spelled(reason)
  const known = kinds.get(word) ?? kinds.get(word.replace(/^(?:finish_reason|stop_reason|reason)_/, ''))
  const colon = reason.indexOf(':')
  const first = known === undefined && colon > 0 ? kinds.get(spelled(reason.slice(0, colon))) : undefined
  // `stop: length` is not a known finish reason.
  return known ?? (first !== undefined && endsTurn(first) ? undefined : first)
}

function badnessOf(reason: string): number {
  const kind = unfinished.has(spelled(reason.slice(0, longestWord))) ? undefined : finishKindOf(reason)
  return kind === undefined ? 0 : badness[kind]
}

/** `MAX_TOKENS`, `max-tokens`, `maxTokens` and `Max tokens` are one word. */
function spelled(reason: string): string {
  return reason
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[\s-]/g, '_')
}
