import { isArray, isObject, type JsonObject, own } from '../../json/json-value.ts'
import type { Draft } from '../draft.ts'
import { compilePattern, type LinearPattern } from '../patterns/pattern.ts'
import type { SchemaDocument, SchemaNode, SchemaResource } from '../read/document.ts'
import { isSchema, subschemas } from '../read/subschemas.ts'
import { SchemaError } from '../schema-error.ts'
import { StepBudget } from '../step-budget.ts'
import { arrayChecksOf, unevaluatedItemsOf } from './array-checks.ts'
import { assertionsOf, patternCost } from './assertions.ts'
import { combinatorChecksOf } from './combinator-checks.ts'
import { Evaluated } from './evaluated.ts'
import { type Building, objectChecksOf, remarking, unevaluatedPropertiesOf } from './object-checks.ts'
import { apply, type Check, type Finding, type Frame, fail, Run, type Scope } from './run.ts'

/** Deeper nesting of combinators and references declares no further properties. */
const deepest = 16

/** Parts of a document that are looked at for the properties they declare; after them nothing is taken for undeclared. */
const mostParts = 100_000

/** Gives the properties that a schema declares, also in its branches; undefined where others are welcome: declared as such, or nothing is declared at all. */
function declaredIn(document: SchemaDocument): (node: SchemaNode) => ReadonlySet<string> | undefined {
  let left = mostParts
  return (root) => {
    const names = new Set<string>()
    const seen = new Set<unknown>()
    let [declares, welcomes] = [false, false]
    const visit = (node: SchemaNode, depth: number): void => {
      const { schema } = node
      if (!isObject(schema) || depth > deepest || seen.has(schema) || left < 0) return
      seen.add(schema)
      const properties = own(schema, 'properties')
      const others = own(schema, 'additionalProperties')
      const keys = isObject(properties) ? Object.keys(properties) : []
      left -= 1 + keys.length
      for (const name of keys) names.add(name)
      declares ||= isObject(properties) || others === false
      // A pattern or a schema for the rest says that names are free.
      welcomes ||= others === true || isObject(others) || isObject(own(schema, 'patternProperties'))
      for (const keyword of ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else']) {
        const held = own(schema, keyword)
        for (const inner of isArray(held) ? held : [held]) if (isSchema(inner)) visit(document.child(node, inner), depth + 1)
      }
      for (const keyword of ['dependentSchemas', 'dependencies']) {
        const held = own(schema, keyword)
        for (const inner of isObject(held) ? Object.values(held) : []) if (isSchema(inner)) visit(document.child(node, inner), depth + 1)
      }
      const target = document.resolve(node, '$ref')
      if (target) visit(target, depth + 1)
    }
    visit(root, 0)
    return declares && !welcomes && left >= 0 ? names : undefined
  }
}

/** Keywords that look at a value that another keyword may look at too. */
const again = ['allOf', 'anyOf', 'contains', 'dependencies', 'dependentSchemas', 'if', 'not', 'oneOf', 'patternProperties'] as const

/** Whether two ways may lead through references to the same schema and the same value: remembering verdicts pays only then. */
function mayRevisit(document: SchemaDocument): boolean {
  if (!document.uses('$ref')) return false
  if (again.some((keyword) => document.uses(keyword))) return true
  for (const { schema } of document.nodes) {
    if (!isObject(schema) || !Object.hasOwn(schema, '$ref')) continue
    const { $defs: _defs, definitions: _definitions, ...rest } = schema
    if (subschemas(rest).length > 0) return true
  }
  return false
}

/** Steps that saying what is wrong may take. */
const findingsSteps = 300_000

/** Findings that are reported of one value. */
export const mostFindings = 100

/** Program size of all patterns of a schema together: compiling them is the expensive part. */
const largestPatterns = 20_000

const holds: Check = () => true
const fails: Check = (value, frame) => fail(frame, 'false schema', {}, value)

/** Checks values against a schema without generating code: any keyword, patterns in linear time, a budget of steps. */
export class Interpreter {
  readonly #document: SchemaDocument
  readonly #checks = new Map<SchemaNode, Check>()
  /** The same for schemas that are the first to see a value, where they remark what they do not declare. */
  readonly #first = new Map<SchemaNode, Check>()
  readonly #declared: ((node: SchemaNode) => ReadonlySet<string> | undefined) | undefined
  readonly #patterns = new Map<string, LinearPattern>()
  readonly #assertsFormat: boolean
  readonly #tracks: boolean
  /** Whether a reference may come to the same value twice, and a verdict depends on the schema and the value alone. */
  readonly #remembers: boolean
  #patternSize = 0

  /** `asMeant` makes OpenAPI's `nullable` allow null, and `examine` remark properties that a schema does not declare. */
  constructor(document: SchemaDocument, { asMeant = false, assertsFormat = false } = {}) {
    this.#document = document
    this.#assertsFormat = assertsFormat
    this.#declared = asMeant ? declaredIn(document) : undefined
    this.#tracks = document.uses('unevaluatedProperties') || document.uses('unevaluatedItems')
    this.#remembers = !document.uses('$dynamicRef') && !document.uses('$recursiveRef') && mayRevisit(document)
  }

  /** The schema of the whole document. */
  get root(): SchemaNode {
    return this.#document.root
  }

  /** The document whose schemas it checks. */
  get document(): SchemaDocument {
    return this.#document
  }

  /** Builds the checks of all schemas, so that a bad pattern shows now. */
  prepare(): void {
    for (const node of this.#document.nodes) this.#checkOf(node)
  }

  /** What is wrong with a value; empty when it is valid. */
  findings(node: SchemaNode, value: unknown, budget: StepBudget): Finding[] {
    const findings: Finding[] = []
    this.#start(node, value, new Run(new StepBudget(findingsSteps, budget), mostFindings), findings)
    return findings
  }

  /** Whether a value is valid, which is cheaper than explaining why not. */
  accepts(node: SchemaNode, value: unknown, budget: StepBudget): boolean {
    return this.#start(node, value, new Run(budget, mostFindings), undefined)
  }

  /** Notes all that is wrong with a value, and what a schema does not declare; when that costs too much, what was found until then is noted. */
  examine(value: unknown, budget: StepBudget, findings: Finding[]): void {
    const run = new Run(budget, Number.POSITIVE_INFINITY, true)
    if (this.#start(this.root, value, run, undefined) && !run.remarked) return
    this.#start(this.root, value, new Run(budget, Number.POSITIVE_INFINITY, true), findings)
  }

  /** Whether a text matches a pattern of the schema. */
  matches(pattern: string, text: string, budget: StepBudget): boolean {
    const compiled = this.#patternOf(pattern)
    budget.charge(patternCost(compiled, text))
    return compiled.test(text)
  }

  #start(node: SchemaNode, value: unknown, run: Run, findings: Finding[] | undefined): boolean {
    const scope = { resource: node.resource, outer: undefined }
    const evaluated = this.#tracks ? new Evaluated() : undefined
    return this.#firstCheckOf(node)(value, { run, place: undefined, scope, findings, evaluated })
  }

  #checkOf(node: SchemaNode): Check {
    if (node.schema === true) return holds
    if (node.schema === false) return fails
    return this.#checks.get(node) ?? this.#create(node)
  }

  #firstCheckOf(node: SchemaNode): Check {
    const known = this.#first.get(node)
    if (known) return known
    const names = this.#declared?.(node)
    const check = this.#checkOf(node)
    const first = names ? remarking(names, node.schema, check) : check
    this.#first.set(node, first)
    return first
  }

  #create(node: SchemaNode): Check {
    const { resource } = node
    const keywords: Check[] = []
    const check: Check = (value, frame) => {
      const { run, findings } = frame
      run.enter()
      const here = resource === frame.scope.resource ? frame : { ...frame, scope: { resource, outer: frame.scope } }
      let valid = true
      for (let index = 0; index < keywords.length; index++) {
        if (keywords[index]?.(value, here)) continue
        valid = false
        if (!findings) break
      }
      run.leave()
      return valid
    }
    // Known before it is built: a schema may contain itself.
    this.#checks.set(node, check)
    keywords.push(...this.#build(node))
    return check
  }

  #build(node: SchemaNode): Check[] {
    const { schema } = node
    if (!isObject(schema)) return []
    const references = this.#referencesOf(node)
    // In draft 7, a reference disables all other keywords beside it.
    if (node.resource.draft === '7' && references.length > 0) return references
    const known = withoutFuture(schema, node.resource.draft)
    const building: Building = {
      schema: known,
      child: (inner) => this.#firstCheckOf(this.#document.child(node, inner)),
      compilePattern: (source) => this.#patternOf(source),
    }
    return [
      ...assertionsOf(known, {
        compilePattern: building.compilePattern,
        allowsNull: this.#declared !== undefined && own(schema, 'nullable') === true,
        assertsFormat: this.#assertsFormat,
      }),
      ...references,
      // What a branch does not declare, another one may: the whole is judged.
      ...combinatorChecksOf({ ...building, child: (inner) => this.#checkOf(this.#document.child(node, inner)) }),
      ...objectChecksOf(building),
      ...arrayChecksOf(building, node.resource.draft === '2020-12'),
      ...unevaluatedPropertiesOf(building),
      ...unevaluatedItemsOf(building),
    ]
  }

  #referencesOf(node: SchemaNode): Check[] {
    const checks: Check[] = []
    const target = this.#document.resolve(node, '$ref')
    // Built by its turn: a chain of references may be longer than the stack is deep.
    if (target) checks.push((value, frame) => this.#follow(this.#checkOf(target), value, frame))
    const dynamic = node.resource.draft === '2020-12' ? this.#document.resolve(node, '$dynamicRef') : undefined
    if (dynamic) {
      const anchor = isObject(dynamic.schema) ? own(dynamic.schema, '$dynamicAnchor') : undefined
      const fragment = isObject(node.schema) ? String(own(node.schema, '$dynamicRef')).split('#')[1] : undefined
      const find = ({ dynamicAnchors }: SchemaResource): SchemaNode | undefined => dynamicAnchors.get(fragment ?? '')
      checks.push((value, frame) =>
        this.#follow(this.#checkOf((anchor === fragment ? outermost(frame.scope, find) : undefined) ?? dynamic), value, frame),
      )
    }
    const recursive = node.resource.draft === '2019-09' ? this.#document.resolve(node, '$recursiveRef') : undefined
    if (recursive) {
      const isAnchor = ({ root }: SchemaResource): boolean => isObject(root) && own(root, '$recursiveAnchor') === true
      const find = (resource: SchemaResource): SchemaNode | undefined =>
        isAnchor(resource) ? this.#document.child({ schema: true, resource }, resource.root) : undefined
      checks.push((value, frame) =>
        this.#follow(this.#checkOf((isAnchor(recursive.resource) ? outermost(frame.scope, find) : undefined) ?? recursive), value, frame),
      )
    }
    return checks
  }

  #follow(check: Check, value: unknown, frame: Frame): boolean {
    return this.#remembers ? frame.run.once(check, value, frame) : apply(check, value, frame)
  }

  #patternOf(source: string): LinearPattern {
    const known = this.#patterns.get(source)
    if (known) return known
    const pattern = compilePattern(source)
    this.#patternSize += pattern.size
    if (this.#patternSize > largestPatterns) throw new SchemaError('too-large', 'the patterns of the schema are too large together')
    this.#patterns.set(source, pattern)
    return pattern
  }
}

/** Keywords that a draft does not know yet, so that they say nothing in it. */
const future: Readonly<Record<Draft, readonly string[]>> = {
  '7': ['dependentRequired', 'dependentSchemas', 'maxContains', 'minContains', 'prefixItems', 'unevaluatedItems', 'unevaluatedProperties'],
  '2019-09': ['prefixItems'],
  '2020-12': [],
}

function withoutFuture(schema: JsonObject, draft: Draft): JsonObject {
  const unknown = future[draft]
  return unknown.some((keyword) => Object.hasOwn(schema, keyword))
    ? Object.fromEntries(Object.entries(schema).filter(([keyword]) => !unknown.includes(keyword)))
    : schema
}

/** What the outermost resource that has something gives. */
function outermost(scope: Scope, find: (resource: SchemaResource) => SchemaNode | undefined): SchemaNode | undefined {
  let found: SchemaNode | undefined
  for (let at: Scope | undefined = scope; at; at = at.outer) found = find(at.resource) ?? found
  return found
}
