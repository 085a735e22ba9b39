import { type Document, LineCounter, parseDocument } from 'yaml'
import type * as z from 'zod'
import { describeRefusal, refuseYaml } from '../../answer/yaml.ts'
import { ConfigurationError, type ConfigurationProblem, type SourcePosition } from '../configuration-error.ts'
import { describeComplaints } from './schema-complaints.ts'
import { findOddNodes, offsetOf } from './yaml-nodes.ts'

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
export function readYamlConfig<Schema extends z.ZodType>(
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
  rejectSyntax(document, placeAt)
  const value = prepare(toPlainData(document, placeAt), positionOf)
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new ConfigurationError(inFileOrder(describeComplaints(parsed.error.issues, schema, value).map(place)))
  return {
    value: parsed.data,
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
function rejectSyntax(document: Document.Parsed, placeAt: (offset: number) => SourcePosition): void {
  const complaints = [...document.errors, ...document.warnings]
  if (complaints.length > 0)
    throw problemsAt(complaints.map(({ message, code, pos }) => [messages.get(code) ?? lowerFirst(message), pos[0]]))
  const odd = findOddNodes(document)
  if (odd.length > 0) throw problemsAt(odd)

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

function inFileOrder(problems: readonly ConfigurationProblem[]): ConfigurationProblem[] {
  const key = ({ position }: ConfigurationProblem): readonly [number, number] => [position?.line ?? 0, position?.column ?? 0]
  return [...problems].sort((a, b) => key(a)[0] - key(b)[0] || key(a)[1] - key(b)[1])
}
