import type { ToolCall } from '../../../answer/tool-calls.ts'
import { isFields } from '../../../answer/tool-shapes/fields.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import { parseJson } from '../../../json/parse-json.ts'
import type { CallableTools } from './callable-tools.ts'
import { NoPython, PythonReader } from './python-reader.ts'

/**
 * Reads calls up to the end of the text; undefined when anything else is there.
 *
 * They are `name(a=1)` or a name and an object, one after the other or in a list, each perhaps in quotes.
 */
export function readPythonCalls(text: string, tools: CallableTools): ToolCall[] | undefined {
  const reader = new PythonReader(text)
  const calls = readAll(reader, tools)
  // One escaped name says that strings have the escapes of Markdown too.
  return calls && reader.isEscaped ? readAll(new PythonReader(text, true), tools) : calls
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
    const read = (): ToolCall[] => readQuoted(reader, tools, isQuoted) ?? [readCall(reader, tools)]
    for (reader.skip(); reader.at < reader.text.length; reader.skip()) {
      reader.isInside = true
      const items = reader.take('[') ? reader.list(']', read).flat() : read()
      reader.isInside = false
      for (const call of items) calls.push(call)
      // What ends with a comma was cut off.
      if (reader.take(',') && reader.isAtEnd()) return undefined
      reader.take(';')
    }
    return calls.length === 0 || reader.isAdvised ? undefined : calls
  })
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
  const name = reader.name()
  const tool = tools.find(name)
  // For an incomplete name, the names of the tools decide whether it may become one.
  if (tool === undefined) reader.ranOut &&= tools.mayBegin(name)
  if (tool === undefined) throw new NoPython()
  if (reader.isNext('{')) return { name, arguments: readObject(reader) }
  if (!reader.take('(')) throw new NoPython()
  const given = new Map<string, string>()
  for (const { key, value } of reader.list(')', () => readArgument(reader))) {
    const argument = key ?? onlyParameter(tool)
    if (argument === undefined || given.has(argument)) throw new NoPython()
    given.set(argument, value)
  }
  const members = [...given].map(([key, value]) => `${JSON.stringify(key)}:${value}`)
  return { name, arguments: `{${members.join(',')}}` }
}

/** JSON stays as it is written; what only Python knows is translated. */
function readObject(reader: PythonReader): string {
  const start = reader.at
  const value = reader.value()
  const written = reader.text.slice(start, reader.at)
  return parseJson(written) === undefined ? value : written
}

function readArgument(reader: PythonReader): { readonly key?: string; readonly value: string } {
  reader.skip()
  const start = reader.at
  if (/[\p{L}_\\]/u.test(reader.text[start] ?? '')) {
    const key = tryName(reader)
    if (key !== undefined && reader.take('=')) return { key, value: reader.value() }
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

/** An argument without a name is only clear when the tool has a single one. */
function onlyParameter({ schema }: ToolDefinition): string | undefined {
  const names = isFields(schema.properties) ? Object.keys(schema.properties) : []
  return names.length === 1 ? names[0] : undefined
}
