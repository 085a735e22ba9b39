import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A node of a declaration file, as the parser describes it. */
interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/** A declared type, with the names that are known where it stands. */
interface Declared {
  readonly node: Node
  readonly scope: Scope
}

/** The names of a file or a namespace. */
class Scope {
  readonly #names = new Map<string, Declared>()
  readonly #spaces = new Map<string, Scope>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  declare(name: string, node: Node): void {
    this.#names.set(name, { node, scope: this })
  }

  space(name: string, space: Scope): void {
    this.#spaces.set(name, space)
  }

  find(path: readonly string[]): Declared | undefined {
    return this.#own(path) ?? this.#outer?.find(path)
  }

  #own([name = '', ...rest]: readonly string[]): Declared | undefined {
    if (rest.length === 0) return this.#names.get(name)
    const space = this.#spaces.get(name)
    return space === undefined ? undefined : space.#own(rest)
  }
}

/** An object of a declared type. */
export interface Sample {
  /** The name of the type. */
  readonly name: string
  readonly value: Readonly<Record<string, unknown>>
}

/** The text at every place where a declared type has one. */
export const said = 'said'

/** One object for each type in a declared union, and for each variant of a member. */
export function declaredSamples(file: string, name: string): Sample[] {
  const declared = scopeOf(file, new Map()).find([name])
  if (declared === undefined) throw new Error(`${file} does not declare ${name}`)
  return variants(declared).flatMap((one) => samplesOf(one))
}

function samplesOf({ name, declared }: { readonly name: string; readonly declared: Declared }): Sample[] {
  const samples: Sample[] = []
  // Members that have several types are one object each.
  for (let round = 0, more = true; more && round < mostVariants; round++) {
    const turn = { round, more: false }
    const value = sampleValue(declared, turn, 0)
    if (typeof value === 'object' && value !== null) samples.push({ name, value: value as Sample['value'] })
    more = turn.more
  }
  return samples
}

const mostVariants = 16
const mostDepth = 6

/** The types of a union, by name. */
function variants({ node, scope }: Declared, name = ''): { readonly name: string; readonly declared: Declared }[] {
  if (node.type === 'TSTypeAliasDeclaration') return variants({ node: node.typeAnnotation as Node, scope }, name)
  if (node.type === 'TSUnionType') return (node.types as Node[]).flatMap((one) => variants({ node: one, scope }, name))
  if (node.type !== 'TSTypeReference') return [{ name, declared: { node, scope } }]
  const path = pathOf(node.typeName as Node)
  const found = scope.find(path)
  return found === undefined ? [] : variants(found, path.join('.'))
}

function sampleValue({ node, scope }: Declared, turn: { readonly round: number; more: boolean }, depth: number): unknown {
  if (depth > mostDepth) return undefined
  const inner = (one: unknown): unknown => sampleValue({ node: one as Node, scope }, turn, depth + 1)
  switch (node.type) {
    case 'TSStringKeyword':
    case 'TSUnknownKeyword':
      return said
    case 'TSNumberKeyword':
      return 0
    case 'TSBooleanKeyword':
      return false
    case 'TSLiteralType':
      return (node.literal as Node).value
    case 'TSArrayType':
      return [inner(node.elementType)].filter((one) => one !== undefined)
    case 'TSTypeAliasDeclaration':
      return sampleValue({ node: node.typeAnnotation as Node, scope }, turn, depth)
    case 'TSUnionType':
      return unionValue(node.types as Node[], scope, turn, depth)
    case 'TSTypeReference':
      return referredValue(node, scope, turn, depth)
    case 'TSInterfaceDeclaration':
      return { ...extended(node, scope, turn, depth), ...members((node.body as Node).body as Node[], inner) }
    case 'TSTypeLiteral':
      return members(node.members as Node[], inner)
    default:
      return undefined
  }
}

function unionValue(types: readonly Node[], scope: Scope, turn: { readonly round: number; more: boolean }, depth: number): unknown {
  const open = types.filter(({ type }) => type !== 'TSNullKeyword' && type !== 'TSUndefinedKeyword')
  const text = open.find(({ type }) => type === 'TSStringKeyword')
  if (text !== undefined && open.every((one) => one === text || one.type === 'TSLiteralType')) return said
  if (open.every(({ type }) => type === 'TSLiteralType')) return (open[0]?.literal as Node | undefined)?.value
  if (turn.round < open.length - 1) turn.more = true
  const one = open[Math.min(turn.round, open.length - 1)]
  return one === undefined ? null : sampleValue({ node: one, scope }, turn, depth)
}

function referredValue(node: Node, scope: Scope, turn: { readonly round: number; more: boolean }, depth: number): unknown {
  const path = pathOf(node.typeName as Node)
  const given = ((node.typeArguments as Node | undefined)?.params ?? []) as Node[]
  if (path[0] === 'Array') return [sampleValue({ node: given[0] as Node, scope }, turn, depth + 1)].filter((one) => one !== undefined)
  if (path[0] === 'Record') return { key: said }
  const found = scope.find(path)
  return found === undefined ? undefined : sampleValue(found, turn, depth)
}

function extended(node: Node, scope: Scope, turn: { readonly round: number; more: boolean }, depth: number): object {
  const parts = ((node.extends ?? []) as Node[]).map(({ expression }) => {
    const found = scope.find(pathOf(expression as Node))
    return found && sampleValue(found, turn, depth)
  })
  return Object.assign({}, ...parts)
}

function members(nodes: readonly Node[], inner: (one: unknown) => unknown): Readonly<Record<string, unknown>> {
  const value: Record<string, unknown> = {}
  for (const member of nodes) {
    if (member.type === 'TSIndexSignature') value.key = said
    if (member.type !== 'TSPropertySignature') continue
    const key = member.key as Node
    const one = inner((member.typeAnnotation as Node | undefined)?.typeAnnotation)
    if (one !== undefined) value[String(key.name ?? key.value)] = one
  }
  return value
}

function pathOf(name: Node): string[] {
  if (name.type === 'Identifier') return [String(name.name)]
  const { left, right, object, property } = name as Node & { left?: Node; right?: Node; object?: Node; property?: Node }
  return [...pathOf((left ?? object) as Node), ...pathOf((right ?? property) as Node)]
}

function scopeOf(file: string, known: Map<string, Scope>): Scope {
  const found = known.get(file)
  if (found !== undefined) return found
  const scope = new Scope()
  known.set(file, scope)
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  fill(scope, program.body as unknown as Node[], file, known)
  return scope
}

function fill(scope: Scope, nodes: readonly Node[], file: string, known: Map<string, Scope>): void {
  for (const statement of nodes) {
    if (statement.type === 'ImportDeclaration') bring(scope, statement, file, known)
    const node = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : statement
    const name = String((node?.id as Node | undefined)?.name)
    if (node?.type === 'TSInterfaceDeclaration' || node?.type === 'TSTypeAliasDeclaration') scope.declare(name, node)
    if (node?.type !== 'TSModuleDeclaration') continue
    const space = new Scope(scope)
    scope.space(name, space)
    fill(space, (node.body as Node).body as Node[], file, known)
  }
}

/** Only files of the same package are read. */
function bring(scope: Scope, statement: Node, file: string, known: Map<string, Scope>): void {
  const from = String((statement.source as Node).value)
  if (!from.startsWith('.')) return
  let other: Scope
  try {
    other = scopeOf(join(dirname(file), from.replace(/\.js$/, '.d.ts')), known)
  } catch {
    return
  }
  for (const one of statement.specifiers as Node[]) {
    const local = String((one.local as Node).name)
    if (one.type === 'ImportNamespaceSpecifier') scope.space(local, other)
    else {
      const found = other.find([String((one.imported as Node | undefined)?.name ?? local)])
      if (found !== undefined) scope.declare(local, found.node)
    }
  }
}
