import type { ToolCall } from '../../../answer/tool-calls.ts'
import { isFields } from '../../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { parseJson } from '../../../json/parse-json.ts'
import type { CallableTools } from './callable-tools.ts'
import { endsLine, NoPython, PythonReader } from './python-reader.ts'

/**
 * Reads calls up to the end of the text; undefined when anything else is there.
 *
 * They are `name(a=1)` or a name and an object, one after the other or in a list, each perhaps in quotes; or statements that print or keep what a call returns.
 */
export function readPythonCalls(text: string, tools: CallableTools): ToolCall[] | undefined {
  const reader = new PythonReader(text)
  const calls = readAll(reader, tools)
  // One escaped name says that strings have the escapes of Markdown too.
  return calls && reader.isEscaped ? readAll(new PythonReader(text, true), tools) : calls
}

/** Where the last line of calls ends that a text begins with; 0 without any. */
export function endOfPythonCalls(text: string, tools: CallableTools): number {
  const reader = new PythonReader(text)
  readAll(reader, tools)
  return reader.endOfCalls
}

/** Whether calls in Python form may begin with a text: with it, or with a text that goes on from it. */
export function mayBePythonCalls(text: string, tools: CallableTools): boolean {
  const reader = new PythonReader(text)
  return readAll(reader, tools) !== undefined || reader.ranOut
}

/** Reads a text that is one list or dictionary of Python; returns it as JSON. */
export function readPythonValue(text: string): string | undefined {
  return readWhole(new PythonReader(text))
}

/** Whether a list or dictionary of Python may begin with a text. */
export function mayBePythonValue(text: string): boolean {
  const reader = new PythonReader(text)
  return readWhole(reader) !== undefined || reader.ranOut
}

function readWhole(reader: PythonReader): string | undefined {
  return reading(() => {
    const value = reader.value()
    reader.skip()
    return reader.at < reader.text.length ? undefined : value
  })
}

function reading<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof NoPython) return undefined
    throw error
  }
}

function readAll(reader: PythonReader, tools: CallableTools, isQuoted = false): ToolCall[] | undefined {
  return reading(() => {
    const calls: ToolCall[] = []
    const kept = new Set<string>()
    const isList = reader.isNext('[')
    const read = (depth = 0): ToolCall[] => {
      if (depth < deepestList && reader.take('[')) return readList(reader, () => read(depth + 1))
      return readQuoted(reader, tools, isQuoted) ?? [readCall(reader, tools)]
    }
    for (reader.skip(); reader.at < reader.text.length; reader.skip()) {
      for (const call of readStatement(reader, tools, kept, read)) calls.push(call)
      const { at } = reader
      // The end of a list whose start is missing.
      if (!isList && reader.take(']') && !reader.isAtEnd()) return undefined
      // What ends with a comma was cut off.
      if (reader.take(',') && reader.isAtEnd()) return undefined
      const end = reader.take(';') ? reader.at : at
      // Statements that keep results are a program, which has an end of its own.
      if (kept.size === 0 && endsLine(reader.text, end)) reader.endOfCalls = end
    }
    return calls.length === 0 || reader.isAdvised ? undefined : calls
  })
}

/** Some models write a list in a list. */
const deepestList = 2

/** Reads calls up to the end of their list; what follows the last one may be missing. */
function readList(reader: PythonReader, read: () => ToolCall[]): ToolCall[] {
  const calls: ToolCall[] = []
  while (!reader.take(']')) {
    // A string may be cut off as well.
    if (calls.length > 0 && reader.isAtEnd() && /[)}\]]\s*$/.test(reader.text.slice(-20))) break
    if (calls.length > 0 && !reader.take(',')) throw new NoPython()
    if (calls.length > 0 && reader.take(']')) break
    for (const call of read()) calls.push(call)
  }
  return calls
}

/** Reads a call, or a statement that does nothing with it: `result = ping()`, `print(ping())`, `await ping()`, and `print(result)` after the first. */
function readStatement(reader: PythonReader, tools: CallableTools, kept: Set<string>, read: () => ToolCall[], depth = 0): ToolCall[] {
  const word = wordAt(reader)
  const { at, ranOut } = reader
  if (word === '' || depth > 2 || tools.find(word) !== undefined) return read()
  reader.at += word.length
  // At the end of the text it may become any of these.
  if (reader.isAtEnd()) throw reader.cut()
  if (word === 'print' && reader.take('(')) {
    const calls = isResult(reader, kept) ? [] : read()
    if (!reader.take(')')) throw new NoPython()
    return calls
  }
  if (reader.take('=')) kept.add(word)
  else if (word !== 'await' || reader.at === at + word.length) {
    reader.at = at
    reader.ranOut = ranOut
    return read()
  }
  return readStatement(reader, tools, kept, read, depth + 1)
}

/** Whether what is printed is what a call has returned; passes over it. */
function isResult(reader: PythonReader, kept: ReadonlySet<string>): boolean {
  const word = kept.size > 0 ? wordAt(reader) : ''
  if (word === '') return false
  if (reader.at + word.length === reader.text.length) throw reader.cut()
  if (kept.has(word)) reader.at += word.length
  return kept.has(word)
}

const smallWord = /[a-z_][a-z0-9_]{0,60}(?![\p{L}\p{N}_.\\])/uy

/** The word that comes next, if it is in small letters, which prose seldom begins with. */
function wordAt(reader: PythonReader): string {
  reader.skip()
  smallWord.lastIndex = reader.at
  return smallWord.exec(reader.text)?.[0] ?? ''
}

/** Reads a string with calls in it; undefined when something else than a string comes next. */
function readQuoted(reader: PythonReader, tools: CallableTools, isQuoted: boolean): ToolCall[] | undefined {
  const string = isQuoted ? undefined : reader.string()
  if (string === undefined) return undefined
  const inner = new PythonReader(string.value)
  const calls = readAll(inner, tools, true)
  if (string.isCut) reader.ranOut = calls !== undefined || inner.ranOut
  if (calls === undefined || string.isCut) throw new NoPython()
  return inner.isEscaped ? readAll(new PythonReader(string.value, true), tools, true) : calls
}

function readCall(reader: PythonReader, tools: CallableTools): ToolCall {
  const written = reader.name()
  const name = tools.find(written) === undefined ? withoutNamespace(written) : written
  const tool = tools.find(name)
  // For an incomplete name, the names of the tools decide whether it may become one.
  if (tool === undefined)
    reader.ranOut &&= [written, name].some((one) => tools.mayBegin(one)) || namespaces.some((one) => one.startsWith(written))
  if (tool === undefined) throw new NoPython()
  if (reader.isNext('{')) return { name, arguments: readObject(reader) }
  if (!reader.take('(')) throw new NoPython()
  const given = new Map<string, string>()
  const all = reader.list(')', () => readArgument(reader), ']')
  const [only] = all
  if (all.length === 1 && only?.key === undefined && (only?.isSpread || isAllOf(only?.value, tool)))
    return { name, arguments: only?.value ?? '{}' }
  const parameters = Object.entries(isFields(tool.schema.properties) ? tool.schema.properties : {})
  for (const [index, { key, value, isSpread }] of all.entries()) {
    if (isSpread) throw new NoPython()
    const [argument, schema] = key === undefined ? (parameters[index] ?? []) : [key]
    if (argument === undefined || given.has(argument) || (parameters.length > 1 && !hasType(value, schema))) throw new NoPython()
    given.set(argument, value)
  }
  const members = [...given].map(([key, value]) => `${JSON.stringify(key)}:${value}`)
  return { name, arguments: `{${members.join(',')}}` }
}

/** What some models write before the names of tools. */
const namespaces = ['functions.', 'default_api.', 'tools.'] as const

/** The name of a tool without what some models write before it. */
export function withoutNamespace(name: string): string {
  return name.slice(namespaces.find((one) => name.startsWith(one))?.length ?? 0)
}

/** Whether a value without a name has all arguments of a tool that takes several: as its first argument it would have none of their names. */
function isAllOf(value: string | undefined, { schema }: ToolDefinition): boolean {
  const names = isFields(schema.properties) ? Object.keys(schema.properties) : []
  const given = value?.startsWith('{') ? parseJson(value) : undefined
  return names.length > 1 && isFields(given) && Object.keys(given).length > 0 && Object.keys(given).every((key) => names.includes(key))
}

/** JSON stays as it is written; what only Python knows is translated. */
function readObject(reader: PythonReader): string {
  const start = reader.at
  const value = reader.value()
  const written = reader.text.slice(start, reader.at)
  return parseJson(written) === undefined ? value : written
}

interface Argument {
  readonly key?: string
  readonly value: string
  /** Whether it has all arguments. */
  readonly isSpread?: boolean
}

function readArgument(reader: PythonReader): Argument {
  if (reader.take('*')) {
    if (!reader.take('*') || !reader.isNext('{')) throw new NoPython()
    return { value: readObject(reader), isSpread: true }
  }
  const start = reader.at
  if (/[\p{L}_\\]/u.test(reader.text[start] ?? '')) {
    const key = tryName(reader)
    if (key !== undefined && (reader.take('=') || reader.take(':'))) return { key, value: reader.value() }
    if (reader.isAtEnd()) throw new NoPython()
    // A constant, or a string with a prefix.
    reader.at = start
  }
  return { value: reader.value() }
}

function tryName(reader: PythonReader): string | undefined {
  const name = reader.name()
  return name.includes('.') ? undefined : name
}

/** Whether a value that stands for an argument by its place alone has the type of that. */
function hasType(json: string, schema: unknown): boolean {
  const type = isFields(schema) && typeof schema.type === 'string' ? beginnings.get(schema.type) : undefined
  return type?.test(json) ?? true
}

/** How values of a type begin. */
const beginnings = new Map([
  ['string', /^"/],
  ['number', /^[-\d]/],
  ['integer', /^-?\d+$/],
  ['boolean', /^[tf]/],
  ['array', /^\[/],
  ['object', /^\{/],
])
