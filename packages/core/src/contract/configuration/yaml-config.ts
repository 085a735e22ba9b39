import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type * as z from 'zod'
import type { ZodMiniType } from 'zod/mini'
import { describeRefusal, refuseYaml } from '../../answer/yaml.ts'
import { ConfigurationError, type ConfigurationProblem, type SourcePosition } from '../configuration-error.ts'
import { describeComplaints } from './schema-complaints.ts'

type Path = readonly (string | number)[]

/** A configuration file that was read, with the way back from its values to their places. */
export interface YamlConfig<Value> {
  readonly value: Value
  /** The place of a key or list item, or of the nearest thing above it that is there. */
  positionOf(path: Path): SourcePosition
  /** Builds something from the value at a path; problems of a thrown ConfigurationError get their positions in the file. */
  within<Result>(path: Path, build: () => Result): Result
}

/**
 * Reads a YAML configuration file against a Zod schema; throws a ConfigurationError that lists everything wrong with it, by line and column.
 * `prepare` may change the plain data before the schema sees it.
 */
export function readYamlConfig<Schema extends z.ZodType | ZodMiniType>(
  source: string,
  file: string,
  schema: Schema,
  prepare: (data: unknown, positionOf: (path: Path) => SourcePosition) => unknown = (data) => data,
): YamlConfig<z.output<Schema>> {
  const text = source.replace(/^\uFEFF/, '')
  const lines = new LineCounter()
  const placeAt = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    // An empty text has no line to be found in.
    return { file, line: Math.max(1, line), column: Math.max(1, col) }
  }
  const refusal = refuseYaml(text)
  if (refusal !== undefined)
    throw new ConfigurationError([{ message: `the file is ${describeRefusal(refusal)}`, path: [], position: placeAt(0) }])

  const document = parseDocument(text, {
    schema: 'core',
    // Nothing but plain data is made from a file.
    resolveKnownTags: false,
    uniqueKeys: true,
    prettyErrors: false,
    logLevel: 'error',
    lineCounter: lines,
  })
  const positionOf = (path: Path): SourcePosition => placeAt(offsetOf(document, path))
  const place = (problem: ConfigurationProblem): ConfigurationProblem => ({
    ...problem,
    // One in another file, such as that of a schema, has its position already.
    position: problem.position ?? positionOf(problem.path),
  })
  rejectSyntax(text, document, placeAt)
  const value = prepare(toPlainData(document, placeAt), positionOf)
  // Code made for a schema that is used once takes longer than it saves.
  const parsed = schema.safeParse(value, { jitless: true })
  if (!parsed.success) throw new ConfigurationError(inFileOrder(describeComplaints(parsed.error.issues, schema, value).map(place)))
  return {
    value: parsed.data as z.output<Schema>,
    positionOf,
    within(path, build) {
      try {
        return build()
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error
        throw new ConfigurationError(inFileOrder(error.problems.map((problem) => place({ ...problem, path: [...path, ...problem.path] }))))
      }
    },
  }
}

/** Throws what the parser complains of: tags and directives that it only warns of mean something else than what was written. */
function rejectSyntax(text: string, document: Document.Parsed, placeAt: (offset: number) => SourcePosition): void {
  const complaints = [...document.errors, ...document.warnings]
  // What follows a syntax error is read wrongly, and complained of token by token.
  const first = complaints.findIndex(({ code }) => !messages.has(code))
  const meant = first < 0 ? complaints : complaints.slice(0, first + 1)
  if (meant.length > 0)
    throw problemsAt(meant.map(({ message, code, pos }) => [messages.get(code) ?? inQuotes(pos[0]) ?? lowerFirst(message), pos[0]]))
  const odd = findOddNodes(document)
  if (odd.length > 0) throw problemsAt(odd)

  /** Within braces, those of a variable are YAML's own. */
  function inQuotes(offset: number): string | undefined {
    return text.startsWith('${', offset - 1) ? `write a variable within braces or brackets in quotes, such as "\${NAME}"` : undefined
  }

  function problemsAt(found: readonly (readonly [message: string, offset: number])[]): ConfigurationError {
    return new ConfigurationError(found.map(([message, offset]) => ({ message, path: [], position: placeAt(offset) })))
  }
}

const messages: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'this key is a duplicate'],
  ['MULTIPLE_DOCS', 'a configuration is one document; remove the line ---'],
])

function lowerFirst(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1)
}

function toPlainData(document: Document.Parsed, placeAt: (offset: number) => SourcePosition): unknown {
  try {
    // An empty file is an empty configuration.
    return document.toJS({ maxAliasCount: 50 }) ?? {}
  } catch (error) {
    const message = error instanceof Error ? lowerFirst(error.message) : String(error)
    throw new ConfigurationError([{ message, path: [], position: placeAt(0) }])
  }
}

/** Problems by their places in the file; those without one come first. */
export function inFileOrder(problems: readonly ConfigurationProblem[]): ConfigurationProblem[] {
  const key = ({ position }: ConfigurationProblem): readonly [number, number] => [position?.line ?? 0, position?.column ?? 0]
  return [...problems].sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1])
}

/** The offset of the key or list item at a path, or of the nearest thing above it that is there. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  let offset = startOf(document.contents) ?? 0
  let node: unknown = document.contents
  for (const segment of path) {
    const next = childAt(isAlias(node) ? node.resolve(document) : node, segment)
    if (next === undefined) break
    offset = startOf(next.place) ?? offset
    node = next.value
  }
  return offset
}

function childAt(node: unknown, segment: string | number): { readonly place: unknown; readonly value: unknown } | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value ?? '') === String(segment))
    return pair && { place: pair.key, value: pair.value }
  }
  const item = isSeq(node) ? node.items[Number(segment)] : undefined
  // A list of pairs, `- name: x`, has its own nodes for the items.
  return item === undefined ? undefined : { place: isPair(item) ? item.key : item, value: item }
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

/** Finds what the parser lets pass but plain data cannot hold, or should not: message and offset. */
function findOddNodes(document: Document.Parsed): (readonly [message: string, offset: number])[] {
  const odd: (readonly [string, number])[] = []
  const complain = (message: string, node: unknown): void => void odd.push([message, startOf(node) ?? 0])
  visit(document, {
    Pair(_index, { key }) {
      if (!isScalar(key)) complain('a key must be a plain word', key)
      else if (key.value === '__proto__') complain('unknown key "__proto__"', key)
    },
    Alias(_index, alias, ancestors) {
      const target = alias.resolve(document)
      if (target === undefined) complain(`there is no anchor &${alias.source} before this alias`, alias)
      else if (ancestors.includes(target as Node)) complain(`the alias *${alias.source} refers to a node that contains it`, alias)
    },
  })
  return odd
}
