import type { Answer } from '../../../answer/answer.ts'
import { openaiShape } from '../../../answer/tool-shapes/openai-calls.ts'
import { readTranscript } from '../../../answer/transcript.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import type { OutsideRule, RuleRequest } from '../../../contract/rules/rule-port.ts'
import type { CheckContext, PreparedValidator } from '../../../contract/validator.ts'
import { ValidatorUnavailable } from '../../../contract/validator-unavailable.ts'
import type { AskedRule } from './rule-options.ts'
import { type RuleVerdict, readVerdict } from './rule-verdict.ts'

/** Fields of the context that a line of `stickler check --jsonl` has itself, by their names there. */
const ofLines: ReadonlyMap<string, string> = new Map([
  ['tools', 'tools'],
  ['functions', 'functions'],
  ['toolChoice', 'tool_choice'],
  ['parallelToolCalls', 'parallel_tool_calls'],
  ['sources', 'sources'],
  ['question', 'question'],
  ['context', 'context'],
  ['transcript', 'transcript'],
  ['expected_sequence', 'expected_sequence'],
])

/** What a rule is asked about an answer. */
function requestOf(
  { options, context: chosen }: Pick<AskedRule, 'options' | 'context'>,
  { text, toolCalls, finishReason }: Answer,
  { locale, context }: Pick<CheckContext, 'locale' | 'context'>,
): RuleRequest {
  const given = Object.entries(context).filter(([name, value]) => value !== undefined && (chosen?.includes(name) ?? true))
  const others = given.filter(([name]) => !ofLines.has(name))
  return {
    text,
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls.map((call) => openaiShape.write(call)) }),
    ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
    locale,
    ...(options === undefined ? {} : { options }),
    // A field by the same name takes the place of what has none.
    ...(others.length === 0 ? {} : { context: Object.fromEntries(others) }),
    ...Object.fromEntries(
      given.flatMap(([name, value]) => (ofLines.has(name) ? [[ofLines.get(name) as string, shared(name, value)]] : [])),
    ),
  }
}

/** Of earlier calls a rule sees the names and whether they succeeded; what was said and what tools have answered stays here. */
function shared(name: string, value: unknown): unknown {
  if (name !== 'transcript') return value
  const { calls, gap, unread } = readTranscript(value)
  // Read as a conversation, these say that it is not complete.
  const doubts = [...(gap === undefined ? [] : [{ type: 'item_reference' }]), ...(unread === undefined ? [] : [{ unread }])]
  return [...calls.map(({ result: _result, ...call }) => call), ...doubts]
}

/** How a rule outside of this process is asked. */
interface RuleAsking {
  /** The code of issues that have none. */
  readonly code: string
  /** What to do when there is no port. */
  readonly advice: string
}

/** Makes the check and the repair of a rule that lives outside of this process. */
export function prepareRule(asked: AskedRule, asks: OutsideRule, { code, advice }: RuleAsking): PreparedValidator {
  const { name, trusted } = asked
  /** Repairs that came with a verdict, so that the rule is asked once. */
  const offered = new WeakMap<Answer, readonly Certificate[]>()

  async function judge(answer: Answer, context: CheckContext): Promise<RuleVerdict> {
    const reply = ask(asks, requestOf(asked, answer, context), context)
    if (reply === undefined) throw new ValidatorUnavailable(`the rule ${name} cannot be checked here: ${advice}`)
    const verdict = readVerdict(await reply, answer, { name, code, trusted, locale: context.locale })
    offered.set(answer, verdict.repairs)
    return verdict
  }

  return {
    name,
    asks,
    ...(asked.context?.includes('prompt') && { readsPrompt: true as const }),
    async *check(answer, context) {
      yield* (await judge(answer, context)).issues
    },
    async *repair(answer, _issues, context) {
      yield* offered.get(answer) ?? (await judge(answer, context)).repairs
    },
  }
}

/** The reply of a rule; undefined when nothing here can ask it. */
function ask(asks: OutsideRule, request: RuleRequest, { ports, signal }: CheckContext): Promise<unknown> | undefined {
  return asks.port === 'remote' ? ports.remote?.ask(asks.rule, request, signal) : ports.command?.ask(asks.rule, request, signal)
}
