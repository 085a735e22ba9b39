import type { Contract } from '../contract/contract.ts'
import { errorsOf } from '../engine/check/report.ts'
import { enforce, enforceStream } from '../engine/enforce.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { EnforceOptions } from '../engine/run-state.ts'
import { type ScriptedTurn, scripted } from '../runners/scripted.ts'

/** Chunk sizes that split markers, line breaks and surrogate pairs everywhere. */
const defaultSizes: readonly (number | readonly number[])[] = [1, 2, 3, 7, 20, [1, 9, 4]]

/** The context that validators get besides the text. */
type Setting = Pick<EnforceOptions, 'context' | 'ports'>

/** Throws when the validators of a contract judge a text differently in a stream than as a whole, or for two ways to cut it. */
export async function assertStreamable(contract: Contract, text: string, sizes = defaultSizes, setting: Setting = {}): Promise<void> {
  const once: Contract = { ...contract, policy: { ...contract.policy, retries: 0, stream: 'verified' } }
  const whole = await enforce({ contract: once, runner: scripted([text]), prompt: '', ...setting })
  const uncut = await stream(once, { text }, setting)
  agreeWithWhole(uncut, whole)
  for (const size of sizes) {
    const cut = await stream(once, { chunks: cutText(text, typeof size === 'number' ? [size] : size) }, setting)
    if (summary(cut.outcome) !== summary(uncut.outcome))
      throw new Error(`chunks of ${size} change the outcome:\n${summary(uncut.outcome)}\n${summary(cut.outcome)}`)
    keepsWhatItShows(cut)
  }
}

interface Streamed {
  readonly outcome: Outcome
  readonly shown: string
  /** Whether the model was stopped before its end. */
  readonly stopped: boolean
}

async function stream(contract: Contract, turn: ScriptedTurn, setting: Setting): Promise<Streamed> {
  const runner = scripted([turn])
  const enforced = enforceStream({ contract, runner, prompt: '', ...setting })
  let shown = ''
  for await (const piece of enforced) shown += piece
  return { outcome: await enforced.outcome, shown, stopped: runner.calls[0]?.aborted ?? false }
}

/** A stream that was stopped early knows part of the errors; any other one says the same as the whole check. */
function agreeWithWhole({ outcome, stopped }: Streamed, whole: Outcome): void {
  if (!stopped && summary(outcome) !== summary(whole))
    throw new Error(`the stream and the whole check differ:\n${summary(outcome)}\n${summary(whole)}`)
  const known = new Set(errorsOf(whole).map(({ validator, code }) => `${validator}/${code}`))
  // Of a text that breaks its syntax later, nothing is said about the schema.
  if (known.has('json/INVALID_JSON') || known.has('json/AMBIGUOUS_JSON')) known.add('json/SCHEMA_MISMATCH')
  for (const { validator, code } of stopped ? outcome.issues : [])
    if (!known.has(`${validator}/${code}`))
      throw new Error(`the stream was stopped for ${validator}/${code}, which the whole check does not report`)
}

function keepsWhatItShows({ outcome, shown }: Streamed): void {
  if (outcome.status === 'failed') return
  if (!outcome.text.startsWith(shown)) throw new Error(`text was shown that is not in the outcome: ${JSON.stringify(shown)}`)
  if (outcome.delivered && shown !== outcome.text) throw new Error('an answer was delivered, but not all of it was shown')
}

function summary({ status, text, toolCalls, issues, fixed, repairs }: Outcome): string {
  return JSON.stringify({ status, text, toolCalls, issues, fixed, repairs })
}

/** Cuts a text into pieces of these sizes, in turn. */
function cutText(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const end = at + (sizes[turn % sizes.length] ?? 1)
    chunks.push(text.slice(at, end))
    at = end
  }
  return chunks
}
