import { pipelines } from '@stickler/ask/internal/config'
import type { ConfigurationProblem } from '@stickler/core'
import { isFields, unknownName } from '@stickler/core/internal'
import { memberOf, recordsOf, textsOf } from '@stickler/node/internal/config'
import { checkGrpc } from '../resolved/grpc-config.ts'
import { checkRetrieval } from './check-retrieval.ts'

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
      ...textsOf(route.fallback).flatMap(([at, name]) => upstream(name, ['routes', index, 'fallback', at])),
      ...recordsOf(route.fallback).flatMap(([at, entry]) => upstream(entry.upstream, ['routes', index, 'fallback', at, 'upstream'])),
    ]),
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

function oneAddress(store: unknown): ConfigurationProblem[] {
  if (memberOf(store, 'url') === undefined || memberOf(store, 'urlEnv') === undefined) return []
  return [{ message: 'url and urlEnv are mutually exclusive', path: ['store', 'urlEnv'] }]
}
