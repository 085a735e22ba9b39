import type { ConfigurationProblem } from '@stickler/core'
import { isFields, unknownName } from '@stickler/core/internal'
import { memberOf, recordsOf } from '@stickler/node/internal/config'

type Path = readonly (string | number)[]

/** Finds conflicts between `retrieval` and the pipelines that need it; works on plain data. */
export function checkRetrieval(data: unknown, upstreamNames: readonly string[], pipelineNames: readonly string[]): ConfigurationProblem[] {
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
      ...(route.pipeline === undefined || route.contract === undefined ? [] : [both(['routes', index, 'contract'])]),
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
