import { matchAt } from '../../../../answer/span.ts'
import type { ToolDefinition } from '../../../../answer/tool-shapes/tool-definition.ts'
import { jsonOfArgument, objectOf, typeOfArgument } from '../argument.ts'
import { calledName, isMarkAt, type ReadForm } from './reading.ts'

/** Deeper nesting is refused. */
const deepest = 64
const head = /call:\s{0,9}([^\s<>[\]{}()"'`,;=]{1,200})\s{0,9}(?=\{)/y
const key = /\s*(?:<\|"\|>|<escape>|["']?)([^\s<>[\]{}"',:]{1,200})(?:<\|"\|>|<escape>|["']?)\s*:\s*/y
const bare = /[^,\]}]*/y
const marks = ['<|"|>', '<escape>', '"']

/** Thrown inside the reader. */
class Unread extends Error {
  readonly isCut: boolean

  constructor(isCut: boolean) {
    super()
    this.isCut = isCut
  }
}

/** Reads `call:name{key:value}`, whose strings have marks of the model around them. */
export const readBraces: ReadForm = (text, at, tools) => {
  const called = matchAt(head, text, at)
  if (called === null) return undefined
  const name = calledName(called[1] ?? '', tools)
  const reader = new BraceReader(text, at + called[0].length, tools.find(name))
  try {
    return { calls: [{ name, arguments: reader.object(0) }], end: reader.at }
  } catch (error) {
    if (!(error instanceof Unread)) throw error
    return error.isCut ? 'cut' : undefined
  }
}

class BraceReader {
  at: number
  readonly #text: string
  readonly #tool: ToolDefinition | undefined

  constructor(text: string, at: number, tool: ToolDefinition | undefined) {
    this.#text = text
    this.at = at
    this.#tool = tool
  }

  object(depth: number): string {
    const members: [string, string][] = []
    this.#list('}', () => {
      const found = matchAt(key, this.#text, this.at)
      if (found === null) throw new Unread(this.at >= this.#text.length)
      this.at += found[0].length
      const name = found[1] ?? ''
      members.push([name, this.#value(depth, name)])
    })
    const object = objectOf(members)
    if (object === undefined) throw new Unread(false)
    return object
  }

  #value(depth: number, name: string): string {
    if (depth > deepest) throw new Unread(false)
    if (this.#text[this.at] === '{') return this.object(depth + 1)
    if (this.#text[this.at] === '[') {
      const items: string[] = []
      this.#list(']', () => items.push(this.#value(depth + 1, '')))
      return `[${items.join(', ')}]`
    }
    const mark = marks.find((one) => isMarkAt(one, this.#text, this.at))
    if (mark === undefined) {
      const written = (matchAt(bare, this.#text, this.at)?.[0] ?? '').trimEnd()
      this.at += written.length
      return jsonOfArgument(written, typeOfArgument(depth === 0 ? this.#tool : undefined, name))
    }
    const end = this.#text.indexOf(mark, this.at + mark.length)
    if (end < 0) throw new Unread(true)
    const value = this.#text.slice(this.at + mark.length, end)
    this.at = end + mark.length
    return JSON.stringify(value)
  }

  #list(closer: string, item: () => void): void {
    this.at++
    for (let count = 0; ; count++) {
      this.#skip()
      if (this.#text[this.at] === closer) break
      if (this.at >= this.#text.length) throw new Unread(true)
      if (count > 0 && this.#text[this.at] !== ',') throw new Unread(false)
      if (count > 0) this.at++
      this.#skip()
      item()
    }
    this.at++
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.at] ?? '')) this.at++
  }
}
