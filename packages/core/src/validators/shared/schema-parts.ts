import { type Fields, field, isFields } from '../../answer/tool-shapes/fields.ts'

/** A part of a schema by its own key; inherited names such as `constructor` are no part of it. */
export function partOf(schema: Fields, key: string): unknown {
  return Object.hasOwn(schema, key) ? field(schema, key) : undefined
}

/** The parts under a key that hold schemas in a list. */
export function branchesOf(schema: Fields, key: string): readonly unknown[] {
  const branches = partOf(schema, key)
  return Array.isArray(branches) ? branches : []
}

/** What a local reference points to; undefined when there is none, or it leads out of the schema. */
export function referred(schema: Fields, root: Fields): unknown {
  const reference = partOf(schema, '$ref')
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  let target: unknown = root
  for (const step of reference.slice(1).split('/').slice(1)) {
    const key = keyOf(step)
    if (Array.isArray(target)) target = target[Number(key)]
    else target = isFields(target) ? partOf(target, key) : undefined
  }
  return target
}

function keyOf(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** The properties that a schema declares. */
export interface Declared {
  readonly names: ReadonlySet<string>
  /** Whether other properties are welcome: declared as such, or nothing is declared at all. */
  readonly open: boolean
}

/** Deeper nesting of combinators and references declares no further properties. */
const deepest = 16

/** Collects the properties that a schema declares, also in its branches, and tells how many steps that took. */
export function declaredProperties(schema: Fields, root: Fields): Declared & { readonly steps: number } {
  const names = new Set<string>()
  const found = { declares: false, welcomes: false }
  const seen = new Set<unknown>()
  const visit = (part: unknown, depth: number): void => {
    if (!isFields(part) || depth > deepest || seen.has(part)) return
    seen.add(part)
    const properties = partOf(part, 'properties')
    const others = partOf(part, 'additionalProperties')
    if (isFields(properties)) for (const name of Object.keys(properties)) names.add(name)
    found.declares ||= isFields(properties) || others === false
    // A pattern or a schema for the rest says that names are free.
    found.welcomes ||= others === true || isFields(others) || isFields(partOf(part, 'patternProperties'))
    for (const key of ['allOf', 'anyOf', 'oneOf']) for (const branch of branchesOf(part, key)) visit(branch, depth + 1)
    for (const key of ['if', 'then', 'else']) visit(partOf(part, key), depth + 1)
    visit(referred(part, root), depth + 1)
  }
  visit(schema, 0)
  return { names, open: found.welcomes || !found.declares, steps: names.size + 2 * seen.size }
}
