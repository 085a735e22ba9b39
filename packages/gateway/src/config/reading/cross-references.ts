import type { ConfigurationProblem } from '@stickler/core'
import { isFields, partsOf, unknownName, valueAt } from '@stickler/core/internal'
import { recordsOf } from '@stickler/node/internal/config'
import { pipelines } from '@stickler/presets/internal'
import type { ConfigSchema } from '../schema/config-schema.ts'
import { references } from '../schema/scalars.ts'

type Path = readonly (string | number)[]

/**
 * Finds unknown and duplicate names, and what one section needs of another; works on plain data, so that they are reported together with
 * other mistakes.
 */
export function checkReferences(schema: ConfigSchema, data: unknown): ConfigurationProblem[] {
  const upstreams = recordsOf(valueAt(data, ['upstreams']))
  const contracts = valueAt(data, ['contracts'])
  const known = {
    upstream: upstreams.flatMap(([, { name }]) => (typeof name === 'string' ? [name.trim()] : [])),
    contract: isFields(contracts) ? Object.keys(contracts) : [],
    pipeline: Object.keys(pipelines),
  }
  const lacksPassages = valueAt(data, ['retrieval']) === undefined
  const referring = (to: keyof typeof known, name: unknown, path: Path): ConfigurationProblem[] => {
    if (typeof name !== 'string') return []
    if (!known[to].includes(name.trim())) return [{ message: unknownName(to, name, known[to]), path }]
    if (to !== 'pipeline' || !lacksPassages) return []
    return [{ message: 'a pipeline needs passages; set their source, such as retrieval: { index: .stickler/index.db }', path }]
  }
  return [
    ...twins(upstreams, 'upstreams', 'name', (name) => `there are two upstreams with the name ${name}`),
    ...twins(recordsOf(valueAt(data, ['routes'])), 'routes', 'model', (model) => `there are two routes for the model ${model}`),
    ...[...partsOf(schema, data)].flatMap(({ schema: one, value, path }) => {
      const reference = references.get(one)
      return reference === undefined ? [] : referring(reference.to, value, path)
    }),
    ...Object.keys(valueAt(data, ['evaluation']) ?? {}).flatMap((name) => referring('contract', name, ['evaluation', name])),
    ...known.contract
      // The name is sent in a header of every reply.
      .filter((name) => !/^[\w.-]{1,100}$/.test(name))
      .map((name) => ({ message: 'the name of a contract has letters, digits and . _ - only', path: ['contracts', name] })),
    ...checkGrpc(data),
  ]
}

function twins(
  records: ReturnType<typeof recordsOf>,
  list: string,
  key: string,
  message: (name: string) => string,
): ConfigurationProblem[] {
  const seen = new Set<string>()
  return records.flatMap(([index, { [key]: name }]) => {
    if (typeof name !== 'string') return []
    const isTwin = seen.has(name.trim())
    seen.add(name.trim())
    return isTwin ? [{ message: message(JSON.stringify(name.trim().slice(0, 80))), path: [list, index, key] }] : []
  })
}

function checkGrpc(data: unknown): ConfigurationProblem[] {
  const grpc = valueAt(data, ['grpc'])
  if (!isFields(grpc)) return []
  const { host, port } = grpc
  const server = valueAt(data, ['server'])
  const isTwin = typeof port === 'number' && port > 0 && port === valueAt(server, ['port']) && host === valueAt(server, ['host'])
  return [
    ...(valueAt(data, ['ask', 'pipeline']) === undefined
      ? [{ message: 'questions over gRPC are answered by a pipeline; set ask.pipeline', path: ['grpc'] }]
      : []),
    ...(isTwin ? [{ message: `port ${port} is already used by the server`, path: ['grpc', 'port'] }] : []),
  ]
}
