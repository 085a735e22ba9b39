import { positionAt } from '../../answer/span.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { shownName } from '../../answer/tool-shapes/tool-definition.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { findDuplicateKeys } from '../../json/duplicate-keys.ts'
import { infiniteNumber } from '../../json/infinite-number.ts'
import { nodeAt, readJsonTree } from '../../json/json-tree.ts'
import { findJsonFault } from '../../repairs/json/repair-json.ts'
import type { SchemaCache } from '../../schema/cache.ts'
import { wordsOf } from '../../schema/problem.ts'
import { budgetFor, type StepBudget } from '../../schema/step-budget.ts'
import { type SuggestionRules, suggestTool } from '../shared/suggest-tool.ts'
import { rejectDeepJson } from '../shared/too-complex-value.ts'
import { type ArgumentFault, argumentFaults } from './faults/argument-faults.ts'
import { PathSet, type StandardFault, verdictOf } from './faults/standard-faults.ts'
import type { Path } from './faults/value-order.ts'
import { toolCallMessages } from './messages.ts'
import type { OfferedTools } from './offered-tools.ts'
import { kindOf } from './words.ts'

/** So many errors, and so many warnings, are worth reporting of one answer. */
const most = 50

/** Bounds the issues of an answer; errors and warnings apart, so that no flood of warnings hides an error. */
export class IssueLimit<Code extends string> {
  /** Whether an issue with this code is an error. */
  readonly isError: (code: Code) => boolean
  #errors = 0
  #warnings = 0

  constructor(isError: (code: Code) => boolean) {
    this.isError = isError
  }

  /** Whether enough errors have been found to stop looking. */
  get reached(): boolean {
    return this.#errors >= most
  }

  /** Whether an error has been found, so that the verdict does not depend on what cannot be checked. */
  get failed(): boolean {
    return this.#errors > 0
  }

  /** Counts an issue, and returns whether it may still be reported. */
  admits(code: Code): boolean {
    return this.isError(code) ? this.#errors++ < most : this.#warnings++ < most
  }
}

/** Characters of names and members that are compared for suggestions in one answer. */
const comparedCharacters = 300_000

/** What looking at all calls of an answer may cost together: many small ones cost as much as a large one. */
export class CallBudget {
  /** For JSON Schema. */
  readonly steps: StepBudget
  #compared = 0

  /** `characters` is how long all arguments are together. */
  constructor(characters: number) {
    this.steps = budgetFor(characters)
  }

  /** Whether a name may still be compared with others; a suggestion is a courtesy. */
  mayCompare(names: Iterable<string>): boolean {
    if (this.#compared > comparedCharacters) return false
    for (const name of names) this.#compared += name.length + 1
    return this.#compared <= comparedCharacters
  }
}

/** The codes of issues with one tool call. */
type CallCode = 'UNKNOWN_TOOL' | 'INVALID_ARGUMENTS_JSON' | 'ARGUMENTS_NOT_OBJECT' | 'DUPLICATE_KEY' | 'TRUNCATED' | ArgumentFault['code']

/** What a call is judged by. */
interface CallRules extends SuggestionRules {
  readonly tools: OfferedTools
  readonly locale: Locale
  readonly limit: IssueLimit<CallCode>
  readonly schemas: SchemaCache
  readonly budget: CallBudget
}

/** Yields what is wrong with one call; `mayBeCut` says that the answer may have been cut off after it, so that missing brackets are no mistake. */
export function* inspectCall(call: ToolCall, index: number, mayBeCut: boolean, rules: CallRules): Generator<IssueDraft<CallCode>> {
  const say = toolCallMessages[rules.locale]
  const path = ['tool_calls', index, 'arguments']
  const tool = rules.tools.get(call)
  if (tool === undefined && rules.limit.admits('UNKNOWN_TOOL')) yield unknownTool(call, index, rules)

  const parsed = parse(call.arguments)
  if ('text' in parsed) {
    const fault = findJsonFault(parsed.text)
    const code = fault.cut === 'inside' || (mayBeCut && fault.cut === 'closers') ? 'TRUNCATED' : 'INVALID_ARGUMENTS_JSON'
    const place = positionAt(parsed.text, fault.at)
    const [message, hint] =
      code === 'TRUNCATED'
        ? [say.cut(call.name), say.cutHint]
        : [say.invalidJson(call.name, place, characterAt(parsed.text, fault.at)), say.jsonHint]
    if (rules.limit.admits(code)) yield issue(code, message, { path, hint })
    return
  }
  rejectDeepJson(call.arguments)
  if (!isFields(parsed.value)) {
    if (rules.limit.admits('ARGUMENTS_NOT_OBJECT'))
      yield issue('ARGUMENTS_NOT_OBJECT', say.notObject(call.name, kindOf(parsed.value)), { path, hint: say.objectHint })
    return
  }
  const infinite = infiniteNumber(parsed.value)
  if (infinite) {
    const tree = readJsonTree(call.arguments)
    const at = (tree && nodeAt(tree, infinite)?.start) ?? 0
    const message = say.invalidJson(call.name, positionAt(call.arguments, at), characterAt(call.arguments, at))
    if (rules.limit.admits('INVALID_ARGUMENTS_JSON'))
      yield issue('INVALID_ARGUMENTS_JSON', message, { path: [...path, ...infinite], hint: say.rangeHint })
    return
  }
  for (const twin of findDuplicateKeys(call.arguments)) {
    if (rules.limit.admits('DUPLICATE_KEY'))
      yield issue('DUPLICATE_KEY', say.duplicate(call.name, twin.path), { path: [...path, ...twin.path], hint: say.duplicateHint })
  }
  if (tool === undefined) return
  const told = new Set<string>()
  const verdict = verdictOf(tool, parsed.value)
  const [refused, warned, undeclared] = [new PathSet(), new PathSet(), new PathSet()]
  for (const fault of argumentFaults(tool.schema, parsed.value, rules.schemas, rules.budget.steps)) {
    if (!verdict.counts(fault)) continue
    if (rules.limit.admits(fault.code)) {
      const described = describeFault(fault, call.name, [...path, ...fault.path], rules)
      // Several ways through a schema may lead to one fault.
      if (!told.has(described.message)) yield described
      told.add(described.message)
    }
    if (rules.limit.reached) return
    const known = rules.limit.isError(fault.code) ? refused : fault.code === 'UNKNOWN_ARGUMENT' ? undeclared : warned
    known.add(fault.path)
  }
  if (verdict.failure) throw verdict.failure
  // An error covers other findings on it and on the values around it; a warning only those on the same place.
  const isTold = ({ path: at, keyword }: StandardFault): boolean =>
    refused.hasInside(at) || warned.has(at) || (keyword === 'unrecognized_keys' && undeclared.hasInside(at))
  for (const fault of verdict.faults) {
    if (isTold(fault)) continue
    if (rules.limit.admits(fault.code))
      yield issue(fault.code, say.schema(call.name, wordsOf(fault, rules.locale)), { path: [...path, ...fault.path] })
    if (rules.limit.reached) return
  }
}

function unknownTool(call: ToolCall, index: number, rules: CallRules): IssueDraft<CallCode> {
  const say = toolCallMessages[rules.locale]
  const suggestion = rules.tools.suggest(call.name)
  return issue('UNKNOWN_TOOL', say.unknownTool(shownName(call), rules.tools.shown), {
    path: ['tool_calls', index, 'name'],
    ...(suggestion && { hint: say.didYouMean(suggestion.name), suggestion: suggestion.name }),
  })
}

function parse(text: string): { readonly value: unknown } | { readonly text: string } {
  // An answer may be put together by hand, without the reader that turns an empty text into an object.
  if (text === '') return { value: {} }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { text }
  }
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(...[text.codePointAt(at)].filter((point) => point !== undefined))
}

function describeFault(fault: ArgumentFault, tool: string, path: Path, rules: CallRules): IssueDraft<CallCode> {
  const say = toolCallMessages[rules.locale]
  const { keyword, params, value } = fault.finding
  switch (keyword) {
    case 'required':
      return issue(fault.code, say.missing(tool, fault.path), { path })
    case 'type':
      return issue(fault.code, say.wrongType(tool, fault.path, [params.type].flat().map(String), kindOf(value)), { path })
    case 'enum':
    case 'const': {
      const members = keyword === 'const' ? [params.allowedValue] : listOf(params.allowedValues)
      const words = members.filter((one) => typeof one === 'string')
      const isWord = typeof value !== 'object' || value === null
      const member =
        isWord && rules.budget.mayCompare(words) ? suggestTool(String(value), words, { cutoff: rules.cutoff ?? 0.6 }) : undefined
      const advice = member && { hint: say.didYouMean(member.name), suggestion: member.name }
      return issue(fault.code, say.invalidEnum(tool, fault.path, members, value), { path, ...advice })
    }
    case 'undeclaredProperties': {
      const declared = params.declared as ReadonlySet<string>
      const free = rules.budget.mayCompare(declared) ? [...declared].filter((name) => !Object.hasOwn(value as Fields, name)) : []
      const name = suggestTool(String(fault.path.at(-1)), free, rules)
      const advice = name ? { hint: say.didYouMean(name.name), suggestion: name.name } : { hint: say.declared(declared) }
      return issue(fault.code, say.unknownArgument(tool, fault.path), { path, ...advice })
    }
    default:
      return issue(fault.code, say.schema(tool, fault.message(rules.locale)), { path })
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
