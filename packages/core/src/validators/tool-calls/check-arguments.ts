import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { SchemaError } from '../../schema/schema-error.ts'
import { StepBudget } from '../../schema/step-budget.ts'
import { branchesOf, type Declared, declaredProperties, partOf, referred } from '../shared/schema-parts.ts'
import { costFault } from '../shared/too-complex-value.ts'
import { isOfType, type Kind, kindOf, sameJson } from './value-kind.ts'

/** Where a fault stands in the arguments. */
export type Path = readonly (string | number)[]

/** One way in which arguments do not fit the schema of their tool. */
export type ArgumentFault =
  | { readonly code: 'MISSING_ARGUMENT'; readonly path: Path }
  | { readonly code: 'WRONG_TYPE'; readonly path: Path; readonly expected: readonly string[]; readonly found: Kind }
  | { readonly code: 'INVALID_ENUM'; readonly path: Path; readonly members: readonly unknown[]; readonly value: unknown }
  | { readonly code: 'UNKNOWN_ARGUMENT'; readonly path: Path; readonly declared: ReadonlySet<string>; readonly given: Fields }

/** Steps after which a schema is to blame that takes as many for no arguments at all. */
const stepsOfProbe = 100_000
/** No schema of a tool goes deeper but by recursion. */
const deepest = 400
/** Steps that telling a fault is worth: where it stands is written down. */
const stepsOfFault = 4
/** So many faults tell which alternative was meant. */
const mostOfBranch = 8
/** So many faults behind one reference are told. */
const mostOfReference = 100

/** Yields what is wrong with arguments: types, members, required and unknown properties, at any depth; `budget` bounds the work. */
export function* checkArguments(schema: Fields, value: Fields, budget: StepBudget): Generator<ArgumentFault> {
  try {
    yield* new ArgumentCheck(schema, budget).check(schema, value, [])
  } catch (error) {
    throw costFault(error, () => [...new ArgumentCheck(schema, new StepBudget(stepsOfProbe)).check(schema, {}, [])])
  }
}

class ArgumentCheck {
  readonly #root: Fields
  readonly #declarations = new Map<Fields, Declared>()
  /** What a schema found at a place: several ways may lead to it. */
  readonly #known = new Map<unknown, Map<Path, readonly ArgumentFault[]>>()
  readonly #budget: StepBudget
  #depth = 0

  constructor(root: Fields, budget: StepBudget) {
    this.#root = root
    this.#budget = budget
  }

  *check(schema: unknown, value: unknown, path: Path): Generator<ArgumentFault> {
    this.#depth++
    try {
      yield* this.#checkHere(schema, value, path)
    } finally {
      // Also when an alternative is given up half way.
      this.#depth--
    }
  }

  *#checkHere(schema: unknown, value: unknown, path: Path): Generator<ArgumentFault> {
    this.#pay(1)
    if (!isFields(schema)) return
    const target = referred(schema, this.#root)
    if (target !== undefined && target !== schema) yield* this.#faultsOf(target, value, path, mostOfReference)
    yield* checkType(schema, value, path)
    this.#pay(membersCost(schema, value))
    yield* checkMembers(schema, value, path)
    if (isFields(value)) yield* this.#checkObject(schema, value, path)
    if (Array.isArray(value)) yield* this.#checkItems(schema, value, path)
    for (const branch of branchesOf(schema, 'allOf')) yield* this.#checkBranch(branch, value, path)
    yield* this.#checkAlternatives(branchesOf(schema, 'anyOf'), value, path)
    yield* this.#checkAlternatives(branchesOf(schema, 'oneOf'), value, path)
  }

  #pay(steps: number): void {
    this.#budget.charge(steps)
    if (this.#depth > deepest) throw new SchemaError('too-costly', 'the schema of a tool asks for too much work on its arguments')
  }

  *#checkObject(schema: Fields, value: Fields, path: Path): Generator<ArgumentFault> {
    const given = Object.keys(value)
    const required = branchesOf(schema, 'required')
    this.#pay(given.length + (required.length >> 1))
    for (const name of required) {
      if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
      this.#pay(stepsOfFault)
      yield { code: 'MISSING_ARGUMENT', path: [...path, name] }
    }
    const { names, open } = this.#declared(schema)
    const properties = partOf(schema, 'properties')
    const others = partOf(schema, 'additionalProperties')
    for (const name of given) {
      const declared = isFields(properties) ? partOf(properties, name) : undefined
      if (declared !== undefined) yield* this.check(declared, value[name], [...path, name])
      else if (isFields(others)) yield* this.check(others, value[name], [...path, name])
      else if (!open && !names.has(name)) {
        this.#pay(stepsOfFault)
        yield { code: 'UNKNOWN_ARGUMENT', path: [...path, name], declared: names, given: value }
      }
    }
  }

  /** The items of a long list share a schema. */
  #declared(schema: Fields): Declared {
    const known = this.#declarations.get(schema)
    if (known) return known
    const { steps, ...declared } = declaredProperties(schema, this.#root)
    this.#pay(steps)
    this.#declarations.set(schema, declared)
    return declared
  }

  *#checkItems(schema: Fields, value: readonly unknown[], path: Path): Generator<ArgumentFault> {
    const items = partOf(schema, 'items')
    const first = Array.isArray(items) ? items : branchesOf(schema, 'prefixItems')
    const rest = Array.isArray(items) ? partOf(schema, 'additionalItems') : items
    if (first.length === 0 && !isFields(rest)) return
    for (const [index, item] of value.entries()) yield* this.check(index < first.length ? first[index] : rest, item, [...path, index])
  }

  /** What a branch says of properties that other branches declare is judged by the whole schema. */
  *#checkBranch(branch: unknown, value: unknown, path: Path): Generator<ArgumentFault> {
    for (const fault of this.check(branch, value, path))
      if (fault.code !== 'UNKNOWN_ARGUMENT' || fault.path.length > path.length + 1) yield fault
  }

  *#checkAlternatives(branches: readonly unknown[], value: unknown, path: Path): Generator<ArgumentFault> {
    if (branches.length === 0) return
    const tried: (readonly ArgumentFault[])[] = []
    for (const branch of branches) {
      const faults = this.#faultsOf(branch, value, path, mostOfBranch)
      if (faults.length === 0) return
      tried.push(faults)
    }
    yield* nearest(tried, path)
  }

  /** The first faults that a branch finds at a place, which is the same path wherever the branch is used there. */
  #faultsOf(branch: unknown, value: unknown, path: Path, most: number): readonly ArgumentFault[] {
    const places = this.#known.get(branch) ?? new Map<Path, readonly ArgumentFault[]>()
    this.#known.set(branch, places)
    const known = places.get(path)
    if (known) return known
    const faults: ArgumentFault[] = []
    for (const fault of this.#checkBranch(branch, value, path)) {
      faults.push(fault)
      if (faults.length === most) break
    }
    places.set(path, faults)
    return faults
  }
}

/** The faults of the alternative that was probably meant; when the value is of no type among them, that is the fault. */
function nearest(tried: readonly (readonly ArgumentFault[])[], path: Path): readonly ArgumentFault[] {
  const ofType = tried.filter((faults) => !faults.some((fault) => fault.code === 'WRONG_TYPE' && fault.path.length === path.length))
  if (ofType.length > 0) return ofType.reduce((best, faults) => (faults.length < best.length ? faults : best))
  const types = tried.flat().filter((fault) => fault.code === 'WRONG_TYPE' && fault.path.length === path.length)
  const expected = [...new Set(types.flatMap((fault) => (fault.code === 'WRONG_TYPE' ? fault.expected : [])))]
  const [first] = types
  return first?.code === 'WRONG_TYPE' ? [{ ...first, expected }] : []
}

function* checkType(schema: Fields, value: unknown, path: Path): Generator<ArgumentFault> {
  const type = partOf(schema, 'type')
  const types: readonly unknown[] = Array.isArray(type) ? type : [type]
  const found = kindOf(value)
  // `nullable` is OpenAPI's way to allow null.
  if (types.some((one) => isOfType(found, one)) || (value === null && partOf(schema, 'nullable') === true)) return
  yield { code: 'WRONG_TYPE', path, expected: types.map(String), found }
}

/** Steps that comparing a value with the members that are allowed may take. */
function membersCost(schema: Fields, value: unknown): number {
  const listed = partOf(schema, 'enum')
  if (!Array.isArray(listed)) return 0
  // Each comparison of containers looks at the keys of both.
  return typeof value === 'object' && value !== null ? listed.length * (4 + Object.keys(value).length) : listed.length >> 3
}

function* checkMembers(schema: Fields, value: unknown, path: Path): Generator<ArgumentFault> {
  const listed = partOf(schema, 'enum')
  const members = Array.isArray(listed) ? listed : Object.hasOwn(schema, 'const') ? [schema.const] : undefined
  if (members === undefined || members.some((member) => sameJson(member, value))) return
  if (value === null && partOf(schema, 'nullable') === true) return
  yield { code: 'INVALID_ENUM', path, members, value }
}
