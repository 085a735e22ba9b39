import { Answer, type Contract, errorsOf, type Issue, type Settled } from '@stickler/core'
import { errorMessage, type Fields, feedbackFor, isFields, judgeData, type Settle, withheld, withheldReason } from '@stickler/core/internal'
import type { BlockCounts } from './block-counts.ts'
import { hookMessages } from './hook-messages.ts'
import { denied, failedHook, type HookOutput, replaced } from './hook-output.ts'
import { type HookEvent, isJudgedEvent } from './seen-event.ts'

/** What judges the events of one hook. */
export interface HookJudge {
  readonly contract: Contract
  readonly settle: Settle
  readonly blocks: BlockCounts
  /** How often in a row a turn may be sent back; the retries of the contract when absent. */
  readonly maxBlocks?: number | undefined
}

/** The answer of a hook, with the verdict behind it where there was something to judge. */
export interface AnsweredHook {
  readonly output: HookOutput
  readonly settled?: Settled | undefined
}

const events: Readonly<Record<HookEvent, (input: Fields, judge: HookJudge) => Promise<AnsweredHook>>> = {
  Stop: answerStop,
  SubagentStop: answerStop,
  PreToolUse: answerCall,
  PostToolUse: answerResult,
  PostToolUseFailure: answerError,
  UserPromptSubmit: answerPrompt,
}

/** Judges the event of a hook; a check that crashes fails as the event demands. */
export async function answerHook(input: Fields, judge: HookJudge): Promise<AnsweredHook> {
  const { hook_event_name: event } = input
  if (!isJudgedEvent(event)) return { output: {} }
  try {
    return await events[event](input, judge)
  } catch (error) {
    const { locale } = judge.contract.policy
    return { output: failedHook(input, hookMessages[locale].quoted(errorMessage(error)), locale) }
  }
}

/** Fails for an event without the fields that are judged. */
function incomplete(input: Fields, { policy: { locale } }: Contract, ...fields: readonly string[]): AnsweredHook {
  return { output: failedHook(input, hookMessages[locale].absent(...fields), locale) }
}

/** What was said cannot be changed any more, so what a repair would fix is asked for again too. */
async function answerStop(input: Fields, judge: HookJudge): Promise<AnsweredHook> {
  const { last_assistant_message: text, stop_hook_active: isAgain } = input
  if (typeof text !== 'string') return incomplete(input, judge.contract, 'last_assistant_message')
  const settled = await judge.settle(new Answer(text))
  const { contract, blocks } = judge
  const errors = errorsOf(settled.found)
  const session = [input.hook_event_name, input.session_id, input.agent_id].map(String).join(' ')
  if (errors.length === 0 || contract.policy.mode !== 'strict') {
    await blocks.set(session, undefined).catch(() => {})
    return { settled, output: mentioned(settled, errors, contract) }
  }
  const prompt = typeof input.prompt_id === 'string' ? { prompt: input.prompt_id } : {}
  const most = judge.maxBlocks ?? contract.policy.retries
  let count: number
  try {
    const before = await blocks.get(session)
    // A host may forget to say that the turn was sent back before.
    const isSame = isAgain !== false || before?.prompt === prompt.prompt
    count = isSame ? (before?.count ?? 0) : 0
    await blocks.set(session, count < most ? { count: count + 1, ...prompt } : undefined)
  } catch {
    // Blocks that cannot be counted could go on for ever: one is enough.
    count = isAgain === false ? 0 : Number.POSITIVE_INFINITY
  }
  if (count < most) return { settled, output: { decision: 'block', reason: feedbackFor(contract, errors) } }
  const message = hookMessages[contract.policy.locale].broken(Number.isFinite(count) ? count : 0, summary(errors, contract))
  return { settled, output: { systemMessage: message } }
}

/** A prompt cannot be changed either. */
async function answerPrompt(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { prompt } = input
  if (typeof prompt !== 'string') return incomplete(input, contract, 'prompt')
  const settled = await settle(new Answer(prompt))
  const errors = errorsOf(settled.found)
  const isOpen = contract.policy.mode !== 'strict' || (errors.length === 0 && settled.delivered)
  if (isOpen) return { settled, output: mentioned(settled, errors, contract) }
  const reason = errors.length > 0 ? `Stickler: ${summary(errors, contract)}` : gaps(settled, contract)
  return { settled, output: { decision: 'block', reason } }
}

async function answerCall(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { tool_input: given, tool_name: name } = input
  if (!isFields(given) || typeof name !== 'string') return incomplete(input, contract, 'tool_name', 'tool_input')
  const say = hookMessages[contract.policy.locale]
  const { data, changed, refused, settled } = await judgeData(given, contract, settle, name)
  if (refused && settled) return { settled, output: denied(reasonOf(settled, contract)) }
  if (!changed || settled === undefined) return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
  if (!isFields(data)) return { settled, output: denied(say.notObject) }
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    // Who is asked for every call sees the changed one; who has allowed all calls has allowed this one.
    permissionDecision: input.permission_mode === 'bypassPermissions' || input.permission_mode === 'dontAsk' ? 'allow' : 'ask',
    permissionDecisionReason: say.repaired,
    updatedInput: data,
  } as const
  return { settled, output: { hookSpecificOutput } }
}

async function answerResult(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { tool_response: given } = input
  if (given === undefined) return incomplete(input, contract, 'tool_response')
  const { locale } = contract.policy
  const say = hookMessages[locale]
  const { data, changed, refused, settled, ...more } = await judgeData(given, contract, settle)
  if (refused) {
    const why = say.withheld(withheldReason({ settled, ...more }, locale))
    return { settled, output: replaced(withheld(given, more.fixed), why) }
  }
  if (changed) return { settled, output: replaced(data, say.changed) }
  return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
}

/** The model gets an error as it is, whatever a hook says: the user sees that it breaks the contract. */
async function answerError(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { error: given } = input
  if (given === undefined) return incomplete(input, contract, 'error')
  const { changed, refused, settled, ...more } = await judgeData(given, contract, settle)
  if (!refused && !changed) return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
  const { locale } = contract.policy
  const say = hookMessages[locale]
  const why = refused ? withheldReason({ settled, ...more }, locale) : say.changedError
  return { settled, output: { systemMessage: say.brokenError(why) } }
}

/** What is let through silently, or with a word to the user. */
function mentioned(settled: Settled, errors: readonly Issue[], contract: Contract): HookOutput {
  if (errors.length > 0 && contract.policy.mode === 'lenient') return { systemMessage: `Stickler: ${summary(errors, contract)}` }
  return settled.status === 'unchecked' ? { systemMessage: gaps(settled, contract) } : {}
}

function reasonOf(settled: Settled, contract: Contract): string {
  // What a repair would fix counts too where it cannot be made.
  const errors = settled.delivered ? errorsOf(settled.found) : errorsOf(settled)
  return errors.length > 0 ? feedbackFor(contract, errors) : gaps(settled, contract)
}

/** The most issues that a message to a user lists. */
const mostListed = 5

function summary(errors: readonly Issue[], { policy: { locale } }: Contract): string {
  const listed = errors.slice(0, mostListed).map(({ code, message }) => `${code} ${message}`)
  return [...listed, ...(errors.length > mostListed ? [hookMessages[locale].more(errors.length - mostListed)] : [])].join(' ')
}

function gaps({ unchecked }: Settled, { policy: { locale } }: Contract): string {
  return hookMessages[locale].unchecked(unchecked.map(({ validator, message }) => [validator, message]))
}
