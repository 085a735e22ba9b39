import type { Message, Prompt } from '@stickler/core'
import { isFields, parseJson } from '@stickler/core/internal'
import { UsageError } from '../../errors.ts'
import { type Input, readInput } from '../../inputs/inputs.ts'
import { readLines } from '../../inputs/lines.ts'

/** What a model is asked, and under which id. */
export interface PromptCase {
  readonly id: string
  readonly line: number
  readonly prompt: Prompt
}

const longestLine = 16 * 1024 * 1024

/** Reads prompts, one JSON object per line with `prompt` or `messages`; throws a UsageError with the place of the first bad line. */
export async function readPrompts(input: Input): Promise<readonly PromptCase[]> {
  const prompts: PromptCase[] = []
  const ids = new Set<string>()
  for await (const line of readLines(readInput(input), longestLine)) {
    const wrong = (message: string): UsageError => new UsageError(`${input.name}:${line.number}: ${message}`)
    if ('problem' in line) throw wrong(line.problem)
    const { id = `${line.number}`, prompt } = parse(line.text, wrong)
    if (ids.has(id)) throw wrong(`the id ${JSON.stringify(id)} occurs twice`)
    ids.add(id)
    prompts.push({ id, line: line.number, prompt })
  }
  if (prompts.length === 0) throw new UsageError(`${input.name}: there are no prompts`)
  return prompts
}

function parse(text: string, wrong: (message: string) => UsageError): { readonly id?: string; readonly prompt: Prompt } {
  const value = parseJson(text)
  if (value === undefined) throw wrong('the line is not JSON')
  if (!isFields(value)) throw wrong('the line is not an object with prompt or messages')
  const { id, prompt, messages } = value
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') throw wrong('id must be a text or a number')
  const own = id === undefined ? {} : { id: String(id) }
  if (typeof prompt === 'string' && prompt.trim() !== '' && messages === undefined) return { ...own, prompt }
  if (Array.isArray(messages) && messages.length > 0 && messages.every(isMessage) && prompt === undefined)
    return { ...own, prompt: messages }
  throw wrong('needs either prompt, a text, or messages, a list of {"role", "content"}')
}

function isMessage(value: unknown): value is Message {
  return isFields(value) && typeof value.role === 'string'
}
