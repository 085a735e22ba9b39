import { judgeData } from '../adapters/tool-data.ts'
import { Answer } from '../answer/answer.ts'
import { isFields } from '../answer/tool-shapes/fields.ts'
import { distribute } from '../apis/shared/text-distribution.ts'
import type { Contract } from '../contract/contract.ts'
import type { CheckOptions } from '../engine/check/check.ts'
import { errorsOf } from '../engine/check/report.ts'
import { feedbackFor } from '../engine/feedback/validator-feedback.ts'
import { requireContract } from '../engine/option-names.ts'
import { settle } from '../engine/repair/settle.ts'
import type { Settled } from '../engine/repair/settled.ts'

/** The result of a tool, as MCP servers return it. */
export interface ToolResult {
  readonly content?: readonly object[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/**
 * Makes the results of an MCP tool keep a contract: repaired where it allows that, otherwise an error with feedback, so that the model of the client tries again.
 *
 * Text contents are judged as one text, `structuredContent` by its texts and as JSON; results that are errors already pass.
 */
export function contracted<Args extends readonly unknown[], Returned extends ToolResult>(
  contract: Contract,
  handler: (...args: Args) => Returned | Promise<Returned>,
  options: Pick<CheckOptions, 'context' | 'ports' | 'clock' | 'request'> = {},
): (...args: Args) => Promise<Returned> {
  requireContract(contract)
  const judge = (answer: Answer, only?: readonly string[]): Promise<Settled> =>
    settle(contract, answer, { ...options, ...(only && { only }) })
  return async (...args) => {
    const result = await handler(...args)
    if (result.isError === true) return result
    const failed = (text: string): Returned => ({ content: [{ type: 'text', text }], isError: true }) as unknown as Returned
    const why = ({ found, unchecked }: Settled): string => {
      const errors = errorsOf(found)
      return errors.length > 0
        ? feedbackFor(contract, errors)
        : `The result could not be checked: ${unchecked.map(({ message }) => message).join('; ')}`
    }
    const { structuredContent: given, content = [] } = result
    const before = given === undefined ? undefined : JSON.stringify(given)
    const { data, refused, settled: ofData } = given === undefined ? { data: given } : await judgeData(given, contract, judge)
    if (refused && ofData) return failed(why(ofData))
    // Results repeat their data as text, for clients that read no other.
    const isMirror = (part: object): part is TextPart => before !== undefined && isText(part) && isSame(part.text, before)
    const texts = content.filter((part): part is TextPart => isText(part) && !isMirror(part))
    const settled = texts.length > 0 || given === undefined ? await judge(new Answer(texts.map(({ text }) => text).join(''))) : undefined
    if (settled?.delivered === false) return failed(why(settled))
    const pieces =
      settled === undefined
        ? []
        : distribute(
            texts.map(({ text }) => text),
            settled.text,
            settled.repairs,
          )
    let at = 0
    const after = content.map((part) => {
      if (isMirror(part)) return data === given ? part : { ...part, text: JSON.stringify(data) }
      return isText(part) ? { ...part, text: pieces[at++] ?? part.text } : part
    })
    return { ...result, ...(result.content && { content: after }), ...(given !== undefined && { structuredContent: data }) }
  }
}

interface TextPart {
  readonly type: 'text'
  readonly text: string
}

function isText(part: object): part is TextPart {
  return isFields(part) && part.type === 'text' && typeof part.text === 'string'
}

/** Whether a text is the same JSON, whatever its spaces. */
function isSame(text: string, json: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === json
  } catch {
    return false
  }
}
