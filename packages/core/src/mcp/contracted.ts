import { type JudgedData, judgeData, TooMuchData, withheldReason } from '../adapters/tool-data.ts'
import { Answer } from '../answer/answer.ts'
import { isFields } from '../answer/tool-shapes/fields.ts'
import { distribute } from '../apis/shared/text-distribution.ts'
import type { Contract } from '../contract/contract.ts'
import type { CheckOptions } from '../engine/check/check.ts'
import { errorsOf } from '../engine/check/report.ts'
import { requireContract } from '../engine/option-names.ts'
import { settle } from '../engine/repair/settle.ts'
import type { Settled } from '../engine/repair/settled.ts'
import { parseJson } from '../json/parse-json.ts'
import { type ContentPart, contentPart, protocolKeys } from './content-parts.ts'

/** The result of a tool, as MCP servers return it. */
export interface ToolResult {
  readonly content?: readonly object[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/**
 * Makes the results of an MCP tool keep a contract: repaired where it allows that, otherwise an error that says what is checked and nothing of the result, so that the model of the client tries again.
 *
 * Text contents, with those of embedded resources, are judged as one text, `structuredContent` by its texts and as JSON, everything else by its texts; results that are errors already pass.
 */
export function contracted<Args extends readonly unknown[], Returned extends ToolResult>(
  contract: Contract,
  handler: (...args: Args) => Returned | Promise<Returned>,
  options: Pick<CheckOptions, 'context' | 'ports' | 'clock' | 'request'> = {},
): (...args: Args) => Promise<Returned> {
  requireContract(contract)
  const judge = (answer: Answer, only?: readonly string[]): Promise<Settled> =>
    settle(contract, answer, { ...options, ...(only && { only }) })
  const failed = (text: string): Returned => ({ content: [{ type: 'text', text }], isError: true }) as unknown as Returned
  return async (...args) => {
    const result = sentAs(await handler(...args))
    try {
      return await judged(result)
    } catch (error) {
      if (!(error instanceof TooMuchData)) throw error
      return failed('The result of this tool was withheld because it has too much to check.')
    }
  }
  async function judged(result: Returned | undefined): Promise<Returned> {
    if (result === undefined) return failed('The result of this tool was withheld because it could not be checked: it is no JSON.')
    if (result.isError === true) return result
    const { structuredContent: given, content = [], ...others } = result
    if (!isContent(content))
      return failed('The result of this tool was withheld because it could not be checked: its content is no list of parts.')
    const before = given === undefined ? undefined : JSON.stringify(given)
    const found = given === undefined ? undefined : await judgeData(given, contract, judge)
    if (found?.refused) return failed(withheldResult(contract, found))
    const data = found?.data
    // Results repeat their data as text, for clients that read no other.
    const isMirror = ({ text }: ContentPart): boolean => before !== undefined && text !== undefined && isSame(text, before)
    const parts = content.map(contentPart)
    const texts = parts.flatMap((part) => (part.text === undefined || isMirror(part) ? [] : [part.text]))
    const settled = texts.length > 0 || given === undefined ? await judge(new Answer(texts.join(''))) : undefined
    if (settled?.delivered === false) return failed(withheldResult(contract, { settled, path: [], fixed: new Set() }))
    const rest = await judgeData({ ...others, content: parts.map((part) => part.rest) }, contract, judge, undefined, protocolKeys)
    if (rest.refused) return failed(withheldResult(contract, rest))
    const { content: kept, ...around } = rest.data as { readonly content: readonly Readonly<Record<string, unknown>>[] }
    const pieces = settled === undefined ? [] : distribute(texts, settled.text, settled.repairs)
    const mirrorOf = (text = ''): string => (data === given && isPlain(text, before ?? '') ? text : JSON.stringify(data))
    let at = 0
    const after = parts.map((part, index) => {
      return part.write(isMirror(part) ? mirrorOf(part.text) : part.text === undefined ? undefined : pieces[at++], kept[index] ?? {})
    })
    return {
      ...result,
      ...around,
      ...(result.content && { content: after }),
      ...(given !== undefined && { structuredContent: data }),
    }
  }
}

function isContent(content: unknown): content is readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(content) && content.every(isFields)
}

/** A result as the client gets it, read once: getters and instances of classes could say something else the next time. */
function sentAs<Returned extends ToolResult>(result: Returned): Returned | undefined {
  try {
    const sent = parseJson(JSON.stringify(result))
    return isFields(sent) ? (sent as Returned) : undefined
  } catch {
    return undefined
  }
}

/** Why a result is withheld, by codes and what their validators check: messages quote the result, and sentences of a rule name what it forbids. */
function withheldResult({ validators }: Contract, judged: Pick<JudgedData, 'settled' | 'path' | 'fixed'>): string {
  const { settled } = judged
  const open = settled === undefined ? [] : errorsOf(settled)
  const errors = settled === undefined || open.length > 0 ? open : errorsOf(settled.found)
  const broken = new Set(errors.map(({ validator }) => validator))
  const rules = validators.filter(({ name }) => broken.has(name)).map(({ definition }) => `- ${definition.summary}`)
  const why = broken.size > 0 ? 'does not keep its contract' : 'could not be checked'
  const told = `The result of this tool was withheld because it ${why}: ${withheldReason(judged, 'en')}.`
  return [told, ...new Set(rules)].join('\n')
}

/** Whether a text is the same JSON, whatever its spaces and escapes. */
function isSame(text: string, json: string): boolean {
  return JSON.stringify(parseJson(text)) === json
}

/** Whether JSON differs from what it was parsed to in spaces alone: the first of two equal keys, for instance, is lost. */
function isPlain(text: string, json: string): boolean {
  let at = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (!inString && ' \t\r\n'.includes(char)) continue
    if (char !== json[at++]) return false
    if (inString && char === '\\') {
      if (text[++index] !== json[at++]) return false
    } else if (char === '"') inString = !inString
  }
  return at === json.length
}
