import type { SyntaxFault } from '@stickler/core/validators'
import { type OxcError, type ParseResult, type ParserOptions, parseSync } from 'oxc-parser'
import { faultAt } from '../fault-at.ts'
import type { Mistake } from '../model-mistakes.ts'
import { skipSpace } from '../skip-space.ts'
import { describe } from './describe.ts'

/** What older engines do not know yet, or what is too much for them: no reason to reject. */
const excused = /duplicate capture group name|invalid property name|too large|too many captures|stack/i

/** Why a regular expression is not one; undefined when it may be. The running engine reads it, with the newer syntax taken out. */
function regExpFault(pattern: string, flags: string): string | undefined {
  try {
    // Modifiers, as in (?i:…), are newer than the oldest engine.
    // backtracks: it is compiled, and never run
    new RegExp(pattern.replace(/\(\?[ims]*(?:-[ims]*)?:/g, '(?:'), flags)
    return undefined
  } catch (error) {
    const reason = error instanceof Error ? (/: ([^:]*)$/.exec(error.message)?.[1] ?? '') : ''
    return excused.test(reason) || !(error instanceof SyntaxError) || reason === ''
      ? undefined
      : reason.charAt(0).toLowerCase() + reason.slice(1)
  }
}

/** A fault that the parser lets pass, in the parser's form. */
interface TreeFault {
  readonly message: string
  readonly helpMessage: string | null
  readonly labels: { readonly start: number; readonly end: number; readonly message: string | null }[]
}

/** What the tree of a program shows. */
interface TreeFinding {
  readonly faults: readonly TreeFault[]
  /** The offsets of the names of class members. */
  readonly memberKeys: ReadonlySet<number>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const assertions: ReadonlySet<string> = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSTypeAssertion'])

/** Looks at every node of a program, without recursion: programs may be nested deeply. */
function inspectTree(program: unknown): TreeFinding {
  const faults: TreeFault[] = []
  const memberKeys = new Set<number>()
  const waiting: unknown[] = [program]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next !== 'object' || next === null) continue
    if (isNode(next)) inspect(next, faults, memberKeys)
    for (const child of Object.values(next)) if (typeof child === 'object' && child !== null) waiting.push(child)
  }
  return { faults: faults.sort((one, other) => (one.labels[0]?.start ?? 0) - (other.labels[0]?.start ?? 0)), memberKeys }
}

function inspect(node: Node, faults: TreeFault[], memberKeys: Set<number>): void {
  const { type } = node
  if (type === 'ClassBody') {
    for (const member of Array.isArray(node.body) ? node.body : []) if (isNode(member.key)) memberKeys.add(member.key.start)
  } else if (type === 'Literal' && isRegExp(node.regex)) {
    const reason = regExpFault(node.regex.pattern, node.regex.flags)
    if (reason !== undefined) faults.push(faultOf(node, `Correct this regular expression: ${reason}.`))
  } else if ((type === 'AssignmentExpression' || type === 'AssignmentPattern') && isBareAssertion(node, node.left))
    faults.push(faultOf(node.left, 'Put the assertion in parentheses before you assign to it.'))
}

/** With parentheses around it, the assignment starts before the assertion. */
function isBareAssertion({ start }: Node, left: unknown): left is Node {
  return isNode(left) && assertions.has(left.type) && left.start === start
}

function faultOf({ start, end }: Node, message: string): TreeFault {
  return { message, helpMessage: null, labels: [{ start, end, message: null }] }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isRegExp(value: unknown): value is { readonly pattern: string; readonly flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value && 'flags' in value
}

/**
 * Complaints of TypeScript's type checker about types and modifiers, which are erased: such code parses, and runs.
 * Codes from 2000 on are the checker's own; the others are these.
 */
const erased: ReadonlySet<number> = new Set([
  1015, // optional parameter with an initializer
  1016, // required parameter after an optional one
  1093, // return type on a constructor
  1095, // return type on a setter
  1101, // `with`
  1243, // modifiers that exclude each other
  1263, // `x!: T = value`
  1264, // `x!` without a type
  1338, // `infer` outside of a conditional type
])

/** The checker's codes for what JavaScript itself does not allow. */
const real: ReadonlySet<number> = new Set([
  2337, // super() outside of a constructor
  2528, // two default exports
])

/** Whether an error is for TypeScript's checker to report; `memberKeys` are the offsets of the names of class members. */
function isForChecker({ message, codeframe, labels }: OxcError, memberKeys: ReadonlySet<number>): boolean {
  const code = Number(/TS\((\d+)\):/.exec(codeframe ?? '')?.[1] ?? 0)
  if (real.has(code)) return false
  if (code >= 2000 && code < 8000) return true
  if (erased.has(code)) return true
  if (message.startsWith('Multiple constructor implementations')) return true
  return message.endsWith('has already been declared') && memberKeys.has(labels[0]?.start ?? -1)
}

const signs: ReadonlySet<string> = new Set('()[{};,=:!&|?+-*%~^></\r\n')
const keywords = /(?:^|\W)(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof)$/
/** Where a type assertion in angle brackets may start. */
const angle = /(?:^|[([{,;=:?&|!>])[ \t]?<\w/m

/** Whether code may hold a regular expression: a slash after a sign or a keyword that no division follows. */
export function mayHoldRegExp(source: string): boolean {
  for (let at = source.indexOf('/'); at >= 0; at = source.indexOf('/', at + 1)) {
    const next = source.charAt(at + 1)
    if (next === '/' || next === '*') at++
    else if (next !== '>' && source.charAt(at - 1) !== '<' && mayPrecede(source, at)) return true
  }
  return false
}

/** Whether code may assign to a type assertion, such as `a as T = 1`. */
export function mayAssignToAssertion(source: string): boolean {
  for (const { index } of source.matchAll(/\b(?:as|satisfies)\b/g)) {
    const rest = /^[^;\r\n]*/.exec(source.slice(index, index + 200))?.[0] ?? ''
    if (rest.length === 200 || /=(?![=>])/.test(rest)) return true
  }
  return angle.test(source)
}

function mayPrecede(source: string, slash: number): boolean {
  let at = slash - 1
  while (source.charAt(at) === ' ' || source.charAt(at) === '\t') at--
  return at < 0 || signs.has(source.charAt(at)) || keywords.test(source.slice(Math.max(0, at - 11), at + 1))
}

/** A model acts on the first faults. */
const mostFaults = 20

type Kind = NonNullable<ParserOptions['sourceType']>
type Finding = Pick<OxcError, 'message' | 'labels' | 'helpMessage'>

/** Finds the faults of JavaScript or TypeScript; code that is right as a module or as a script is right. */
export function findFaults(filename: string, source: string): readonly SyntaxFault[] {
  const asModule = parse(filename, source, 'module')
  if (asModule.length === 0) return []
  const asScript = parse(filename, source, 'script')
  if (asScript.length === 0) return []
  if (isDeclarations(filename, source) && parse('source.d.ts', source, 'module').length === 0) return []
  // What is understood further is what was meant.
  const found = startOf(asScript) > startOf(asModule) && !/^[ \t]?(?:import|export)\b/m.test(source) ? asScript : asModule
  const isTyped = filename === 'source.jsx' && isTypeScript(source)
  const faults = found.slice(0, mostFaults).map((finding) => {
    const { start, end } = placeOf(finding, source)
    const { message, suggestion } = isTyped ? typed : describe(finding, source)
    return faultAt(source, start, end, message, suggestion)
  })
  return faults.sort((one, other) => one.line - other.line || one.column - other.column)
}

const typed: Mistake = { message: 'Remove the TypeScript syntax, or mark the code as TypeScript.' }

function isTypeScript(source: string): boolean {
  return ['source.ts', 'source.tsx'].some((filename) => parse(filename, source, 'module').length === 0)
}

function parse(filename: string, source: string, sourceType: Kind): readonly Finding[] {
  const result = parseWithLet(filename, source, sourceType)
  const isTyped = !filename.endsWith('.jsx')
  const { errors } = result
  if (errors.length === 0 && !mayHoldRegExp(source) && !(isTyped && mayAssignToAssertion(source))) return []
  const needsTree = errors.length === 0 || (isTyped && errors.some(({ message }) => message.endsWith('has already been declared')))
  const tree: TreeFinding = needsTree ? inspectTree(result.program) : { faults: [], memberKeys: new Set() }
  const real = errors.filter((error) => !(isTyped && isForChecker(error, tree.memberKeys)))
  return real.length > 0 ? real : tree.faults
}

/** In scripts `let` is a name too; the parser reads it as one only before some characters. More of them than this are hostile. */
const mostLets = 8

function parseWithLet(filename: string, source: string, sourceType: Kind): ParseResult {
  let read = source
  for (let tries = 0; ; tries++) {
    const result = parseSync(filename, read, { sourceType, showSemanticErrors: true })
    const at = tries < mostLets ? letBefore(read, result.errors[0]) : -1
    if (at < 0) return result
    read = `${read.slice(0, at)}le$${read.slice(at + 3)}`
  }
}

/** Where the `let` is that the parser stumbled behind; -1 when it was something else. */
function letBefore(source: string, error: OxcError | undefined): number {
  if (error?.message !== 'Unexpected token') return -1
  const before = source.slice(0, error.labels[0]?.start ?? 0).trimEnd()
  return /(?<![\w$.#])let$/.test(before.slice(-4)) ? before.length - 3 : -1
}

/** Declaration files may leave out values and bodies. */
function isDeclarations(filename: string, source: string): boolean {
  return filename === 'source.ts' && /^(?:export|declare)\b/m.test(source)
}

function startOf(found: readonly Finding[]): number {
  return Math.min(...found.slice(0, mostFaults).map(({ labels }) => labels[0]?.start ?? 0))
}

/** Where to point: at the second of two declarations, and at what follows where a semicolon is missing. */
function placeOf({ labels, message }: Finding, source: string): { readonly start: number; readonly end: number } {
  const isSecond = labels.length === 2 && /already been declared|^Duplicated|more than once|multiple/i.test(message)
  const place = labels[isSecond ? 1 : 0] ?? { start: 0, end: source.length }
  if (!message.startsWith('Expected a semicolon')) return place
  const start = skipSpace(source, place.start)
  const isSplit = splitDeclaration.test(source.slice(start, start + 40))
  const at = isSplit ? skipSpace(source, start + source.slice(start).search(/[\r\n]/)) : start
  return { start: at, end: at + 1 }
}

/** A word that starts a declaration only with the name on its line. */
const splitDeclaration = /^(?:type|interface|namespace|module|abstract|enum)[ \t]*[\r\n]/
