import { endOfMatch, matchAt } from '../../../../answer/span.ts'
import { endOfBrackets } from '../../../../json/json-walker.ts'
import type { CallableTools } from '../../notations/callable-tools.ts'
import { type ArgumentType, jsonOfArgument, objectOf, typeOfArgument, typeWithin } from '../argument.ts'
import type { TagSyntax } from '../table.ts'
import { calledName, type ReadForm, type ReadResult } from './reading.ts'

/** Deeper nesting is refused. */
const deepest = 64
const space = /\s*/y
const cdata = /\s*<!\[CDATA\[/y

/** Reads a call in tags: `<function=name>` or `<invoke name="name">`, with tags for its arguments or JSON in it. */
export function readTags(syntax: TagSyntax): ReadForm {
  const patterns = patternsOf(syntax)
  return (text, at, tools) => new TagReader(text, tools, syntax, patterns).call(at)
}

/** Reads a call in a tag that has the name of the tool. */
export function readToolTags(syntax: TagSyntax): ReadForm {
  const { child, ...patterns } = patternsOf(syntax)
  return (text, at, tools) => new TagReader(text, tools, syntax, { ...patterns, child, call: child }).call(at)
}

interface TagPatterns {
  readonly call: RegExp
  readonly parameter: RegExp
  /** What ends the value of a parameter: its closing tag, or the tag of what comes next. */
  readonly stop: RegExp
  readonly child: RegExp
}

function patternsOf({ open, end, close }: TagSyntax): TagPatterns {
  const [before = '', after = '', closing = ''] = [open, end, close].map((mark) => mark.replace(/[|[\]/]/g, '\\$&'))
  const named = (keys: string): string =>
    `(?:=["']?([^\\s<>"'|]{1,200})["']?|[\\sĠ]{0,9}(?:${keys})=["']([^"'<>|]{1,200})["']([^<>|]{0,200}?))`
  const parameter = '(?:parameter|param|argument)'
  return {
    // backtracks: marks and names, of at most 600 characters
    call: new RegExp(`${before}(function|invoke|call)${named('name|tool')}\\s{0,9}${after}`, 'y'),
    // backtracks: marks and names, of at most 600 characters
    parameter: new RegExp(`${before}${parameter}${named('name|key')}\\s{0,9}${after}`, 'y'),
    // backtracks: marks and names, of at most 600 characters
    stop: new RegExp(`${closing}(?:(${parameter})|function|invoke|call)${after}|${before}${parameter}(?:=|[\\sĠ]{0,9}(?:name|key)=)`, 'g'),
    // backtracks: marks and names, of at most 600 characters
    child: new RegExp(`${before}([\\p{L}_][\\p{L}\\p{N}_.-]{0,200})${after}`, 'uy'),
  }
}

class TagReader {
  readonly #text: string
  readonly #tools: CallableTools
  readonly #syntax: TagSyntax
  readonly #patterns: TagPatterns

  constructor(text: string, tools: CallableTools, syntax: TagSyntax, patterns: TagPatterns) {
    this.#text = text
    this.#tools = tools
    this.#syntax = syntax
    this.#patterns = patterns
  }

  call(from: number): ReadResult {
    const open = matchAt(this.#patterns.call, this.#text, from)
    if (open === null) return this.#text.indexOf(this.#syntax.end, from) < 0 ? 'cut' : undefined
    const name = calledName(open[2] ?? open[3] ?? open[1] ?? '', this.#tools)
    const closer = `${this.#syntax.close}${open[1]}${this.#syntax.end}`
    const members: [string, string][] = []
    let at = this.#skip(from + open[0].length)
    if (this.#text[at] === '{') return this.#json(name, at, closer)
    while (!this.#text.startsWith(closer, at)) {
      const member = this.#parameter(name, at) ?? this.#child(typeOfArgument(this.#tools.find(name), ''), at, 0, name)
      if (typeof member !== 'object') return at >= this.#text.length ? 'cut' : member
      members.push([member.name, member.json])
      at = this.#skip(member.end)
    }
    const given = objectOf(members)
    return given === undefined ? undefined : { calls: [{ name, arguments: given }], end: at + closer.length }
  }

  #json(name: string, start: number, closer: string): ReadResult {
    const end = endOfBrackets(this.#text, start, this.#text.length)
    if (end === undefined) return 'cut'
    const behind = this.#skip(end)
    if (behind < this.#text.length && !this.#text.startsWith(closer, behind)) return undefined
    return { calls: [{ name, arguments: this.#text.slice(start, end) }], end: Math.min(this.#text.length, behind + closer.length) }
  }

  #parameter(tool: string, from: number): Member | 'cut' | undefined {
    const open = matchAt(this.#patterns.parameter, this.#text, from)
    if (open === null) return undefined
    const name = open[1] ?? open[2] ?? ''
    const start = from + open[0].length
    const { stop } = this.#patterns
    const literal = matchAt(cdata, this.#text, start)
    const literalEnd = literal ? this.#text.indexOf(']]>', start) : start
    if (literalEnd < 0) return 'cut'
    stop.lastIndex = literal ? literalEnd + 3 : start
    const close = stop.exec(this.#text)
    if (close === null) return 'cut'
    const isLine = open[1] !== undefined
    const written = literal
      ? this.#text.slice(start + literal[0].length, literalEnd)
      : withoutLineBreaks(this.#text.slice(start, close.index), isLine, isLine || close[1] === undefined)
    const json = jsonOfArgument(written, typeOfArgument(this.#tools.find(tool), name, declared(open[3] ?? '')))
    return { name, json, end: close[1] === undefined ? close.index : stop.lastIndex }
  }

  /** Reads `<key>value</key>`, with more of them as the value of objects, and `<item>` for those of lists. */
  #child(type: ArgumentType, from: number, depth: number, tool?: string): Member | 'cut' | undefined {
    const open = matchAt(this.#patterns.child, this.#text, from)
    if (open === null || depth > deepest) return undefined
    const name = open[1] ?? ''
    const own = tool === undefined ? typeWithin(type, name) : typeOfArgument(this.#tools.find(tool), name)
    const closer = `${this.#syntax.close}${name}${this.#syntax.end}`
    const start = from + open[0].length
    const first = this.#skip(start)
    if (matchAt(this.#patterns.child, this.#text, first)) return this.#children(name, own, first, closer, depth)
    const end = this.#text.indexOf(this.#syntax.close, start)
    if (end < 0) return 'cut'
    if (!this.#text.startsWith(closer, end)) return undefined
    return { name, json: jsonOfArgument(this.#text.slice(start, end), own), end: end + closer.length }
  }

  #children(name: string, type: ArgumentType, from: number, closer: string, depth: number): Member | 'cut' | undefined {
    const members: [string, string][] = []
    let at = from
    while (!this.#text.startsWith(closer, at)) {
      const member = this.#child(type, at, depth + 1)
      if (typeof member !== 'object') return at >= this.#text.length ? 'cut' : member
      members.push([member.name, member.json])
      at = this.#skip(member.end)
    }
    const isList = members.every(([key]) => key === 'item')
    const json = isList ? `[${members.map(([, item]) => item).join(', ')}]` : objectOf(members)
    return json === undefined ? undefined : { name, json, end: at + closer.length }
  }

  #skip(at: number): number {
    return endOfMatch(space, this.#text, at) ?? at
  }
}

interface Member {
  readonly name: string
  readonly json: string
  readonly end: number
}

/** What the attributes of a tag say of its value. */
function declared(attributes: string): boolean | undefined {
  const [, key, value] = /\b(string|type)=["'](\w{1,20})["']/.exec(attributes) ?? []
  if (key === undefined) return undefined
  return key === 'string' ? value === 'true' : value === 'string'
}

/** A value without the line breaks that only set it apart from its tags. */
function withoutLineBreaks(value: string, atStart: boolean, atEnd: boolean): string {
  const start = atStart ? value.replace(/^\r?\n/, '') : value
  return atEnd ? start.replace(/\r?\n$/, '') : start
}
