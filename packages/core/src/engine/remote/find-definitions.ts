import type { ValidatorDefinition } from '../../contract/validator.ts'
import { plainLine } from './plain-line.ts'

type Fields = Readonly<Record<string, unknown>>

/** The validators that a module exports. */
interface FoundDefinitions {
  readonly definitions: readonly ValidatorDefinition[]
  /** What is wrong with exports that were meant as validators, or with the module as a whole. */
  readonly problems: readonly string[]
}

/** Finds the validators among the named exports of a module, by their shape: the module may have its own copy of this library, or none. */
export function findDefinitions(exported: Fields): FoundDefinitions {
  const definitions = new Set<ValidatorDefinition>()
  const problems: string[] = []
  for (const name of Object.keys(exported)) {
    const meant = definitionIn(exported, name)
    if (meant === undefined || name === 'default') continue
    const wrong = faultOf(meant)
    const definition = meant as unknown as ValidatorDefinition
    const twin = [...definitions].find((other) => other !== definition && other.name === definition.name)
    if (wrong !== undefined) problems.push(`the export ${plainLine(name)} is not a complete validator: ${wrong}`)
    else if (twin !== undefined) problems.push(`two of its exports have the name ${twin.name}`)
    else definitions.add(definition)
  }
  if (definitions.size === 0 && problems.length === 0) problems.push(noValidator(exported))
  return { definitions: [...definitions], problems }
}

function noValidator(exported: Fields): string {
  if (definitionIn(exported, 'default') !== undefined) return 'its validator is the default export; export it by a name'
  const names = Object.keys(exported).slice(0, 8).map(plainLine)
  return `it exports no validator made with defineValidator; its exports are: ${names.join(', ') || 'none'}`
}

/** What an export says it is: a validator has its definition, and a definition has a function `prepare`. */
function definitionIn(exported: Fields, name: string): Fields | undefined {
  try {
    const value = exported[name]
    if (!isObject(value)) return undefined
    const inner = (value as Fields).definition
    return [inner, value].find((one): one is Fields => isObject(one) && typeof (one as Fields).prepare === 'function')
  } catch {
    return undefined
  }
}

/** The validator with a name among everything that a module exports. */
export function findDefinition(exported: Fields, name: string): ValidatorDefinition | undefined {
  for (const key of Object.keys(exported)) {
    const meant = definitionIn(exported, key)
    if (meant?.name === name) return meant as unknown as ValidatorDefinition
  }
  return undefined
}

function isObject(value: unknown): value is object {
  return typeof value === 'function' || (typeof value === 'object' && value !== null)
}

/** What is wrong with a definition; undefined when it can be used. */
function faultOf(definition: Fields): string | undefined {
  try {
    return checkDefinition(definition)
  } catch (error) {
    return plainLine(error)
  }
}

function checkDefinition({ name, summary, options, codes, judges, ports, facts, instruct }: Fields): string | undefined {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,63}$/.test(name)) return 'name must be in snake case, with at most 64 characters'
  if (typeof summary !== 'string') return 'summary must be a sentence'
  const standard = isObject(options) ? (options as Fields)['~standard'] : undefined
  if (!isObject(standard) || typeof (standard as Fields).validate !== 'function')
    return 'options must be a schema of Zod, Valibot, ArkType or another Standard Schema'
  if (typeof instruct !== 'function') return 'instruct must be a function'
  if (judges !== undefined && !['context', 'calls', 'prose'].includes(judges as string))
    return 'judges must be "context", "calls", "prose" or left out'
  if (ports !== undefined && !(Array.isArray(ports) && ports.every((port) => typeof port === 'string'))) return 'ports must be a list'
  if (facts !== undefined && !isObject(facts)) return 'facts must be a table'
  return checkCodes(codes)
}

function checkCodes(codes: unknown): string | undefined {
  if (!isObject(codes) || Object.keys(codes).length === 0) return 'codes must be a table of the codes that it reports'
  for (const [code, entry] of Object.entries(codes as Record<string, unknown>)) {
    if (!/^[A-Z][A-Z0-9_]{0,63}$/.test(code)) return `the code ${plainLine(code)} must be in capitals, such as NOT_SIGNED`
    const { severity, when, fix } = (entry ?? {}) as Fields
    if ((severity !== 'error' && severity !== 'warning') || typeof when !== 'string' || typeof fix !== 'string')
      return `the code ${code} needs severity ("error" or "warning"), when and fix`
  }
  return undefined
}
