import { type Fields, field, isFields } from './fields.ts'

/** What Python programs call the types of JSON. */
const pythonTypes = new Map([
  ['str', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['bool', 'boolean'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['dict', 'object'],
])

const jsonTypes = new Set<unknown>(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** The type of JSON that a name means, in any case; any other value is its own. */
export function jsonType(name: unknown): unknown {
  if (typeof name !== 'string') return name
  const word = name.toLowerCase()
  return pythonTypes.get(word) ?? (jsonTypes.has(word) ? word : name)
}

/** JSON Schema of a list of parameters `{name, type, required, enum, default}`, as Python programs define tools. */
export function planSchema(parameters: readonly unknown[]): Fields {
  const named = parameters.filter(isParameter)
  return {
    type: 'object',
    // From entries, so that a parameter called `__proto__` is one like any other.
    properties: Object.fromEntries(named.map((one) => [one.name, parameterSchema(one)])),
    required: named.filter((one) => isYes(field(one, 'required'))).map(({ name }) => name),
  }
}

interface NamedParameter extends Fields {
  readonly name: string
}

/** Whether an entry of the list is a parameter. */
export function isParameter(one: unknown): one is NamedParameter {
  return isFields(one) && typeof field(one, 'name') === 'string'
}

function isYes(value: unknown): boolean {
  return value === true || value === 1 || (typeof value === 'string' && value.toLowerCase() === 'true')
}

function parameterSchema(parameter: NamedParameter): Fields {
  const { name: _name, required: _required, type: given, ...rest } = parameter
  const type = jsonType(given)
  // Python writes `enum=None` for "no enum".
  const stated = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  return { ...(jsonTypes.has(type) ? { type } : {}), ...Object.fromEntries(stated) }
}
