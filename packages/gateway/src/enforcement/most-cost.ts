import type { ChatRequest } from '../upstreams/upstream.ts'
import type { Target } from './target.ts'

/** Tokens of calls. */
export interface CallTokens {
  readonly prompt: number
  readonly completion: number
}

/** The most that a request can use. */
export interface MostTokens {
  /** The first call, all choices together. */
  readonly first: CallTokens
  /** Each further call. */
  readonly again: CallTokens
  /** How many further calls there may be. */
  readonly retries: number
  /** Whether it names no limit of its own, so that the completion is only taken to be no longer. */
  readonly isOpen: boolean
  /** All tokens of a run after which its contract allows no further call. */
  readonly stopsAt?: number
}

/** Prose has 4 bytes for each token, and code or other scripts have fewer: what is set aside may be too much, but not too little. */
const bytesPerToken = 3
/** No provider counts an image for more. */
const imageTokens = 4096
/** What a retry adds to its prompt: feedback and the answer that was refused, which are both cut to a fixed size. */
const feedbackTokens = 6000
/** Rules that a contract tells the model up front. */
const instructionTokens = 1000

/** The most that a request for a chat completion can use; `open` is taken for a completion without a limit of its own. */
export function mostOfChat(chat: ChatRequest, { contract }: Pick<Target, 'contract'>, open: number): MostTokens {
  const { mode, retries, budget, instruct } = contract.policy
  const choices = chat.n ?? 1
  const named = limitOf(chat.max_completion_tokens) ?? limitOf(chat.max_tokens)
  const completion = named ?? open
  const prompt = promptTokensOf(chat) + (instruct ? instructionTokens : 0)
  return {
    // Some providers are asked once for every choice.
    first: { prompt: prompt * choices, completion: completion * choices },
    again: { prompt: prompt + feedbackTokens, completion },
    retries: mode === 'strict' ? Math.min(retries * choices, (budget.attempts ?? Number.POSITIVE_INFINITY) - 1) : 0,
    isOpen: named === undefined,
    ...(budget.tokens === undefined ? {} : { stopsAt: budget.tokens }),
  }
}

/** The most that a body which is passed on can use. */
export function mostOfBody(body: Readonly<Record<string, unknown>>, carries: 'answers' | 'data', open: number): MostTokens {
  const none = { prompt: 0, completion: 0 }
  const { prompt: prompts } = body
  const count = Array.isArray(prompts) && prompts.some((one) => typeof one !== 'number') ? prompts.length : 1
  const choices = count * Math.max(limitOf(body.n) ?? 1, limitOf(body.best_of) ?? 1)
  const named = carries === 'data' ? 0 : limitOf(body.max_tokens)
  const first = { prompt: promptTokensOf(body) * (carries === 'data' ? 1 : choices), completion: (named ?? open) * choices }
  return { first, again: none, retries: 0, isOpen: named === undefined }
}

/** How often each provider may be asked a question: once, and once more with feedback. */
const askCalls = 2

/** The most that a question over sources can use, when every provider takes its turn. */
export function mostOfAsk(question: Readonly<Record<string, unknown>>, providers: number, completion: number): MostTokens {
  const prompt = promptTokensOf(question) + instructionTokens
  return {
    first: { prompt, completion },
    again: { prompt: prompt + feedbackTokens, completion },
    retries: providers * askCalls - 1,
    isOpen: false,
  }
}

/** An upper estimate of the tokens of a prompt, tools and everything else that the model is shown. */
export function promptTokensOf(request: Readonly<Record<string, unknown>>): number {
  let tokens = 0
  let bytes = 0
  // By hand, because each image and each number of a list counts for itself.
  const open: unknown[] = [request]
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === 'string') {
      if (/^data:image\//.test(value)) tokens += imageTokens
      else bytes += Buffer.byteLength(value) + 4
    } else if (typeof value === 'number') tokens += 1
    else if (Array.isArray(value)) for (const item of value) open.push(item ?? '')
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) {
        bytes += name.length + 4
        open.push(isImage(value, name) ? 'data:image/' : (member ?? ''))
      }
  }
  return tokens + Math.ceil(bytes / bytesPerToken)
}

/** Whether a member holds the bytes of an image, as in Anthropic's blocks. */
function isImage(holder: object, name: string): boolean {
  return name === 'data' && /^image\//.test(String((holder as { media_type?: unknown }).media_type ?? ''))
}

function limitOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
