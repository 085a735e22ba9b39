import type { ConfigurationProblem } from '@stickler/core'
import { isFields, unknownName } from '@stickler/core/internal'
import { memberOf, recordsOf, textsOf } from '@stickler/node/internal/config'
import { pipelines } from '@stickler/presets/internal'
import { checkGrpc } from '../resolved/grpc-config.ts'

type Path = readonly (string | number)[]

/**
 * Finds unknown and duplicate names; works on plain data, so that they are reported together with
 * other mistakes.
 */
export function checkReferences(data: unknown): ConfigurationProblem[] {
  const upstreams = recordsOf(memberOf(data, 'upstreams'))
  const routes = recordsOf(memberOf(data, 'routes'))
  const contracts = memberOf(data, 'contracts')
  const upstreamNames = upstreams.flatMap(([, { name }]) => (typeof name === 'string' ? [name.trim()] : []))
  const contractNames = isFields(contracts) ? Object.keys(contracts) : []
  const upstream = (name: unknown, path: Path) => unknownAt('upstream', name, upstreamNames, path)
  const contract = (name: unknown, path: Path) => unknownAt('contract', name, contractNames, path)
  const ask = memberOf(data, 'ask')
  return [
    ...twins(upstreams, 'upstreams', 'name', (name) => `there are two upstreams with the name ${name}`),
    ...twins(routes, 'routes', 'model', (model) => `there are two routes for the model ${model}`),
    ...routes.flatMap(([index, route]) => [
      ...upstream(route.upstream, ['routes', index, 'upstream']),
      ...contract(route.contract, ['routes', index, 'contract']),
      ...textsOf(route.contracts).flatMap(([at, name], place, all) => [
        ...contract(name, ['routes', index, 'contracts', at]),
        ...listedBefore(name, all.slice(0, place), ['routes', index, 'contracts', at]),
      ]),
      ...(route.contract === undefined || route.contracts === undefined ? [] : [listAndOne(['routes', index, 'contracts'])]),
      ...contract(route.shadow, ['routes', index, 'shadow']),
      ...sameTwice(route, ['routes', index, 'shadow']),
      ...textsOf(route.fallback).flatMap(([at, name]) => upstream(name, ['routes', index, 'fallback', at])),
      ...recordsOf(route.fallback).flatMap(([at, entry]) => upstream(entry.upstream, ['routes', index, 'fallback', at, 'upstream'])),
    ]),
    ...Object.keys(memberOf(data, 'evaluation') ?? {}).flatMap((name) => contract(name, ['evaluation', name])),
    ...textsOf(memberOf(ask, 'upstreams')).flatMap(([at, name]) => upstream(name, ['ask', 'upstreams', at])),
    ...contractNames
      // The name is sent in a header of every reply.
      .filter((name) => !/^[\w.-]{1,100}$/.test(name))
      .map((name) => ({ message: 'the name of a contract has letters, digits and . _ - only', path: ['contracts', name] })),
    ...checkRetrieval(data, upstreamNames, Object.keys(pipelines)),
    ...checkGrpc(data),
    ...oneAddress(memberOf(data, 'store')),
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

function unknownAt(kind: string, name: unknown, known: readonly string[], path: Path): ConfigurationProblem[] {
  if (typeof name !== 'string' || known.includes(name.trim())) return []
  return [{ message: unknownName(kind, name, known), path }]
}

function listedBefore(name: string, before: readonly (readonly [unknown, string])[], path: Path): ConfigurationProblem[] {
  if (!before.some(([, other]) => other.trim() === name.trim())) return []
  return [{ message: `the contract ${JSON.stringify(name.trim().slice(0, 80))} is listed twice`, path }]
}

function listAndOne(path: Path): ConfigurationProblem {
  return { message: 'contract and contracts are mutually exclusive: list the default first', path }
}

function sameTwice({ contract, contracts, shadow }: Readonly<Record<string, unknown>>, path: Path): ConfigurationProblem[] {
  const own = [contract, ...textsOf(contracts).map(([, name]) => name)]
  if (typeof shadow !== 'string' || !own.some((one) => typeof one === 'string' && one.trim() === shadow.trim())) return []
  return [{ message: 'the shadow contract is the contract of the route itself; name another one', path }]
}

function oneAddress(store: unknown): ConfigurationProblem[] {
  if (memberOf(store, 'url') === undefined || memberOf(store, 'urlEnv') === undefined) return []
  return [{ message: 'url and urlEnv are mutually exclusive', path: ['store', 'urlEnv'] }]
}

/** Finds conflicts between `retrieval` and the pipelines that need it; works on plain data. */
function checkRetrieval(data: unknown, upstreamNames: readonly string[], pipelineNames: readonly string[]): ConfigurationProblem[] {
  const retrieval = memberOf(data, 'retrieval')
  const models = ['relevance', 'classifier', 'reformulation'].flatMap((key) => {
    const name = memberOf(memberOf(retrieval, key), 'upstream')
    if (typeof name !== 'string' || upstreamNames.includes(name.trim())) return []
    return [{ message: unknownName('upstream', name, upstreamNames), path: ['retrieval', key, 'upstream'] }]
  })
  const ask = memberOf(data, 'ask')
  return [
    ...models,
    ...oneIndex(retrieval),
    ...comparable(retrieval),
    ...recordsOf(memberOf(data, 'routes')).flatMap(([index, route]) => [
      ...pipelineAt(route, ['routes', index], retrieval !== undefined, pipelineNames),
      ...(['contract', 'contracts'] as const).flatMap((key) =>
        route.pipeline === undefined || route[key] === undefined ? [] : [both(['routes', index, key])],
      ),
      ...(route.pipeline === undefined || route.exemptApis === undefined ? [] : passing(route.exemptApis, ['routes', index, 'exemptApis'])),
    ]),
    ...(isFields(ask) ? pipelineAt(ask, ['ask'], retrieval !== undefined, pipelineNames) : []),
  ]
}

function pipelineAt(
  { pipeline }: Readonly<Record<string, unknown>>,
  path: Path,
  hasRetrieval: boolean,
  known: readonly string[],
): ConfigurationProblem[] {
  if (typeof pipeline !== 'string') return []
  const at = [...path, 'pipeline']
  if (!known.includes(pipeline.trim())) return [{ message: unknownName('pipeline', pipeline, known), path: at }]
  if (hasRetrieval) return []
  return [{ message: 'a pipeline needs passages; set their source, such as retrieval: { index: .stickler/index.db }', path: at }]
}

function both(path: Path): ConfigurationProblem {
  return { message: 'contract and pipeline are mutually exclusive: the pipeline has a contract for each type of query', path }
}

function passing(exempt: unknown, path: Path): ConfigurationProblem[] {
  if (!Array.isArray(exempt) || exempt.length === 0) return []
  return [{ message: 'a route with a pipeline cannot list other APIs: their answers would bypass it', path }]
}

function oneIndex(retrieval: unknown): ConfigurationProblem[] {
  if (memberOf(retrieval, 'index') === undefined || memberOf(retrieval, 'indexEnv') === undefined) return []
  return [{ message: 'index and indexEnv are mutually exclusive', path: ['retrieval', 'indexEnv'] }]
}

function comparable(retrieval: unknown): ConfigurationProblem[] {
  const strategy = memberOf(memberOf(retrieval, 'relevance'), 'strategy')
  if (strategy !== 'embedding' || memberOf(retrieval, 'embeddings') !== 'none') return []
  return [{ message: 'the strategy embedding compares vectors; embeddings: none makes none', path: ['retrieval', 'relevance', 'strategy'] }]
}
