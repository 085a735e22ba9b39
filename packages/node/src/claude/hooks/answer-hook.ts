import { Answer, type Contract, errorsOf, type Issue, type Settled } from '@stickler/core'
import { type Fields, feedbackFor, isFields, judgeData, type Settle, withheld, withheldReason } from '@stickler/core/internal'
import type { BlockCounts } from './block-counts.ts'
import { denied, failedHook, type HookEvent, type HookOutput, replaced } from './hook-output.ts'

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

/** Whether an event is judged; every other one goes on. */
export function isJudgedEvent(name: unknown): name is HookEvent {
  return typeof name === 'string' && Object.hasOwn(events, name)
}

/** Judges the event of a hook; a check that crashes fails as the event demands. */
export async function answerHook(input: Fields, judge: HookJudge): Promise<AnsweredHook> {
  const { hook_event_name: event } = input
  if (!isJudgedEvent(event)) return { output: {} }
  try {
    return await events[event](input, judge)
  } catch (error) {
    return { output: failedHook(input, error instanceof Error ? error.message : String(error)) }
  }
}

/** What was said cannot be changed any more, so what a repair would fix is asked for again too. */
async function answerStop(input: Fields, judge: HookJudge): Promise<AnsweredHook> {
  const { last_assistant_message: text, stop_hook_active: isAgain } = input
  if (typeof text !== 'string') return { output: failedHook(input, 'the event has no last_assistant_message') }
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
  const after = count === 0 || !Number.isFinite(count) ? '' : ` after ${count === 1 ? 'one retry' : `${count} retries`}`
  return { settled, output: { systemMessage: `Stickler: the answer breaks its contract${after}: ${summary(errors)}` } }
}

/** A prompt cannot be changed either. */
async function answerPrompt(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { prompt } = input
  if (typeof prompt !== 'string') return { output: failedHook(input, 'the event has no prompt') }
  const settled = await settle(new Answer(prompt))
  const errors = errorsOf(settled.found)
  const isOpen = contract.policy.mode !== 'strict' || (errors.length === 0 && settled.delivered)
  if (isOpen) return { settled, output: mentioned(settled, errors, contract) }
  return { settled, output: { decision: 'block', reason: `Stickler: ${errors.length > 0 ? summary(errors) : gaps(settled)}` } }
}

async function answerCall(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { tool_input: given, tool_name: name } = input
  if (!isFields(given) || typeof name !== 'string') return { output: failedHook(input, 'the event has no tool_name with a tool_input') }
  const { data, changed, refused, settled } = await judgeData(given, contract, settle, name)
  if (refused && settled) return { settled, output: denied(reasonOf(settled, contract)) }
  if (!changed || settled === undefined) return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
  if (!isFields(data)) return { settled, output: denied('Stickler: the repaired input is not an object.') }
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    // Who is asked for every call sees the changed one; who has allowed all calls has allowed this one.
    permissionDecision: input.permission_mode === 'bypassPermissions' || input.permission_mode === 'dontAsk' ? 'allow' : 'ask',
    permissionDecisionReason: 'Stickler repaired the input of this call to keep its contract.',
    updatedInput: data,
  } as const
  return { settled, output: { hookSpecificOutput } }
}

async function answerResult(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { tool_response: given } = input
  if (given === undefined) return { output: failedHook(input, 'the event has no tool_response') }
  const { data, changed, refused, settled, ...more } = await judgeData(given, contract, settle)
  if (refused) {
    const why = `Stickler withheld the output of this tool: ${withheldReason({ settled, ...more })}.`
    return { settled, output: replaced(withheld(given, more.fixed), why) }
  }
  if (changed) return { settled, output: replaced(data, 'Stickler changed the output of this tool to keep its contract.') }
  return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
}

/** The model gets an error as it is, whatever a hook says: the user sees that it breaks the contract. */
async function answerError(input: Fields, { contract, settle }: HookJudge): Promise<AnsweredHook> {
  const { error: given } = input
  if (given === undefined) return { output: failedHook(input, 'the event has no error') }
  const { changed, refused, settled, ...more } = await judgeData(given, contract, settle)
  if (!refused && !changed) return { settled, output: settled === undefined ? {} : mentioned(settled, [], contract) }
  const why = refused ? withheldReason({ settled, ...more }) : 'it would have been changed'
  return { settled, output: { systemMessage: `Stickler: the error of this tool breaks its contract, and the model has it: ${why}.` } }
}

/** What is let through silently, or with a word to the user. */
function mentioned(settled: Settled, errors: readonly Issue[], { policy }: Contract): HookOutput {
  if (errors.length > 0 && policy.mode === 'lenient') return { systemMessage: `Stickler: ${summary(errors)}` }
  return settled.status === 'unchecked' ? { systemMessage: `Stickler: ${gaps(settled)}` } : {}
}

function reasonOf(settled: Settled, contract: Contract): string {
  // What a repair would fix counts too where it cannot be made.
  const errors = settled.delivered ? errorsOf(settled.found) : errorsOf(settled)
  return errors.length > 0 ? feedbackFor(contract, errors) : `Stickler: ${gaps(settled)}`
}

/** The most issues that a message to a user lists. */
const mostListed = 5

function summary(errors: readonly Issue[]): string {
  const listed = errors.slice(0, mostListed).map(({ code, message }) => `${code} ${message}`)
  return [...listed, ...(errors.length > mostListed ? [`and ${errors.length - mostListed} more`] : [])].join(' ')
}

function gaps({ unchecked }: Settled): string {
  return `unchecked: ${unchecked.map(({ validator, message }) => `${validator}: ${message}`).join('; ')}`
}
