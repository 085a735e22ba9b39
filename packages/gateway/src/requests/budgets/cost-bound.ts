import { type Contract, instructions } from '@stickler/core'
import { answerFormat, defaultEchoLimit, mostCallBytes, mostFeedbackBytesOf, mostFormatBytes } from '@stickler/core/internal'
import type { ChatRequest } from '@stickler/core/internal/apis'
import { choicesOf, completionLimitOf, withoutLimits } from './completion-limit.ts'
import { promptTokensOf, sentTokensOf, tokensOfBytes } from './prompt-tokens.ts'

/** Tokens of calls. */
export interface CallTokens {
  readonly prompt: number
  readonly completion: number
}

/** The most that a request can use. */
export interface CostBound {
  /** The first call, all choices together. */
  readonly first: CallTokens
  /** Each retry. */
  readonly again: CallTokens
  /** Maximum number of retries. */
  readonly retries: number
  /** Total tokens of a run after which its contract allows no retry. */
  readonly stopsAt?: number
  /** How the client can lower it. */
  readonly shrinks: Shrinking
}

/** What a client can change about a request. */
interface Shrinking {
  /** The completion limit, named or assumed; absent where requests have none. */
  readonly limit?: number
  /** The same request with another completion limit, and without its prompt. */
  to(limit: number, prompt: 'same' | 'empty'): CostBound
}

/** Names and roles of a message that a retry adds. */
const messageBytes = 40
/** A UTF-16 unit has at most so many bytes in UTF-8. */
const unitBytes = 3
/** What `/ask` adds to the prompt around a question. */
const askTokens = 1000

/** How a chat is checked against its contract. */
interface Holding {
  readonly contract: Contract
  /** Whether text is shown as it arrives, so that a retry may have to continue it. */
  readonly isStreamed: boolean
}

/**
 * The most that a chat completion can use, also when the client's request is `sent` as it is;
 * `open` is assumed for a completion without a limit.
 */
export function chatCostBound(chat: ChatRequest, holding: Holding, open: number, sent?: Readonly<Record<string, unknown>>): CostBound {
  const { policy } = holding.contract
  const { mode, retries: perChoice, budget } = policy
  const choices = choicesOf(chat)
  const rules = rulesTokens(holding.contract)
  const offersTools = [chat.tools, chat.functions].some((offered) => Array.isArray(offered) && offered.length > 0)
  const around = 2 * messageBytes + (offersTools ? mostCallBytes(policy.locale) : 0)
  const feedback = tokensOfBytes(mostFeedbackBytesOf(holding.contract) + around)
  const retries = mode === 'strict' ? Math.min(perChoice * (chat.n ?? 1), (budget.attempts ?? Number.POSITIVE_INFINITY) - 1) : 0
  const asked = Math.max(promptTokensOf(withoutLimits(chat)), sent === undefined ? 0 : sentTokensOf(withoutLimits(sent)))
  const at = (completion: number, given: number): CostBound => {
    const prompt = given + rules
    return {
      // Some providers are called once per choice.
      first: { prompt: prompt * choices, completion: completion * choices },
      again: { prompt: prompt + quotedTokens(completion, holding, offersTools) + feedback, completion },
      retries,
      ...(budget.tokens === undefined ? {} : { stopsAt: budget.tokens }),
      shrinks: { limit: completion, to: (limit, kept) => at(limit, kept === 'same' ? asked : 0) },
    }
  }
  return at(completionLimitOf(chat, open), asked)
}

/** Tokens of the sentences and the schema that a contract tells the model. */
function rulesTokens(contract: Contract): number {
  const rules = contract.policy.instruct === true ? instructions(contract) : ''
  const format = answerFormat(contract, rules)
  if (rules === '' && format === undefined) return 0
  return tokensOfBytes(Buffer.byteLength(rules) + (format === undefined ? 0 : mostFormatBytes(format)) + messageBytes)
}

/** Tokens of the rejected answer that a retry quotes. */
function quotedTokens(completion: number, { contract, isStreamed }: Holding, offersTools = false): number {
  const { askAgain, stream, retries } = contract.policy
  const continues = isStreamed && stream === 'verified'
  if (askAgain === 'anew' && !continues) return 0
  // Text shown by several attempts is quoted as one answer.
  const most = completion * (continues ? retries : 1)
  // Calls are quoted with the reasoning that led to them, whatever its length; arguments that are not JSON are quoted as a text in JSON.
  return offersTools ? 2 * most : Math.min(most, tokensOfBytes(defaultEchoLimit * unitBytes))
}

/** The most that a pass-through body can use. */
export function bodyCostBound(body: Readonly<Record<string, unknown>>, carries: 'answers' | 'data', open: number): CostBound {
  const none = { prompt: 0, completion: 0 }
  const { prompt: prompts } = body
  const count = Array.isArray(prompts) && prompts.some((one) => typeof one !== 'number') ? prompts.length : 1
  const choices = count * choicesOf(body)
  const asked = promptTokensOf(withoutLimits(body))
  const hasLimit = carries === 'answers'
  const at = (completion: number, prompt: number): CostBound => ({
    first: { prompt: prompt * (hasLimit ? choices : 1), completion: completion * choices },
    again: none,
    retries: 0,
    shrinks: { ...(hasLimit ? { limit: completion } : {}), to: (limit, kept) => at(hasLimit ? limit : 0, kept === 'same' ? asked : 0) },
  })
  return at(hasLimit ? completionLimitOf(body, open) : 0, asked)
}

/** How often each provider may be called for a question: once, and once more with feedback. */
const askCalls = 2

/** What an /ask can use. */
interface AskCost extends Holding {
  readonly providers: number
  readonly completion: number
}

/** The most that a question over sources can use, when every provider is tried. */
export function askCostBound(question: Readonly<Record<string, unknown>>, cost: AskCost): CostBound {
  const { providers, contract, completion } = cost
  const asked = promptTokensOf(question)
  const around = askTokens + rulesTokens(contract)
  const added = tokensOfBytes(mostFeedbackBytesOf(contract) + 2 * messageBytes) + quotedTokens(completion, cost)
  const at = (given: number): CostBound => ({
    first: { prompt: given + around, completion },
    again: { prompt: given + around + added, completion },
    retries: providers * askCalls - 1,
    shrinks: { to: (_limit, kept) => at(kept === 'same' ? asked : 0) },
  })
  return at(asked)
}
