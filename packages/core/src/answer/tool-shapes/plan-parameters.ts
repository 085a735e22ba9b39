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

/** The type of JSON that a name means; any other value is its own. */
export function jsonType(name: unknown): unknown {
  return (typeof name === 'string' ? pythonTypes.get(name) : undefined) ?? name
}

const jsonTypes = new Set<unknown>(['string', 'integer', 'number', 'boolean', 'array', 'object', 'null'])

/** JSON Schema of a list of parameters `{name, type, required, enum, default}`, as Python programs define tools. */
export function planSchema(parameters: readonly unknown[]): Fields {
  const named = parameters.filter((one) => isFields(one) && typeof field(one, 'name') === 'string') as NamedParameter[]
  return {
    type: 'object',
    // From entries, so that a parameter called `__proto__` is one like any other.
    properties: Object.fromEntries(named.map((one) => [one.name, parameterSchema(one)])),
    required: named.filter((one) => field(one, 'required') === true).map(({ name }) => name),
  }
}

interface NamedParameter extends Fields {
  readonly name: string
}

function parameterSchema(parameter: NamedParameter): Fields {
  const { name: _name, required: _required, type: given, ...rest } = parameter
  const type = jsonType(given)
  // Python writes `enum=None` for "no enum".
  const stated = Object.entries(rest).filter(([, value]) => value !== null && value !== undefined)
  return { ...(jsonTypes.has(type) ? { type } : {}), ...Object.fromEntries(stated) }
}
